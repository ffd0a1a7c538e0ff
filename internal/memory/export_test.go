package memory

// ClaimsOf is the statement by which the claims of a subject are found.
const ClaimsOf = claimsOf

// Of opens of to the tests.
var Of = of
