package providers

// ReadVerdict reads an answer.
var ReadVerdict = readVerification
