package verifiers

// ReadVerdict reads an answer.
var ReadVerdict = readVerdict
