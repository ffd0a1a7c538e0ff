package ledger

// AccountsOf opens accountsOf to the tests of plans.
var AccountsOf = accountsOf
