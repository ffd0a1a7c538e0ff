package functions_test

import "laurel.example/laurel/internal/dev/apptest"

type object = apptest.Object
