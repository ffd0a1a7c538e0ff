package referrals_test

import "laurel.example/laurel/internal/dev/apptest"

// object is a JSON object.
type object = apptest.Object
