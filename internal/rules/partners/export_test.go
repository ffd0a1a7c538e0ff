package partners

// ReadVerdict reads an answer.
var ReadVerdict = readVerdict
