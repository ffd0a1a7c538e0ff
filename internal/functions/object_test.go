package functions_test

import "laurel/internal/dev/apptest"

type object = apptest.Object
