// Package form reads posted forms into what services take, and finds what others have saved since a form was opened. It
// knows values by field, and no calls.
package form
