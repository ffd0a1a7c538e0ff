package connections

import "laurel.example/laurel/internal/api/rest"

// Operations are the operations on connections, for the table of routes in package api.
type Operations struct {
	Start, Connect, Disconnect rest.OperationHandler
	// Callback returns the function that serves the return of browsers from the provider of a platform.
	Callback func(platform string) func(*rest.Exchange) error
	// EmailPage and ConfirmEmail serve the page of a link to an e-mail address, and its button.
	EmailPage, ConfirmEmail func(*rest.Exchange) error

	SendPhoneCode, ConnectPhone, DisconnectPhone,
	SendBarePhoneCode, ConnectBarePhone, DisconnectBarePhone rest.OperationHandler
}

const (
	startNote = "Starts the connection of an account. The member's browser must go to url, which with responseType redirect, the default, is " +
		"in Location, too. It comes back to redirect with status=success and authType, or with status=error, error, message and, for " +
		"MAXIMUM_ACCOUNT_LINKED, accountLinkData for POST /api/users/verify. Without redirect it comes back to the website's homeUrl. Through " +
		"client keys redirect must be of an origin of the key's allowedOrigins or of homeUrl. For short_video, forum_platform and " +
		"photo_platform the member puts code into the public profile instead, and jwtState goes to GET /api/{authType}/auth/connect. For email a link goes to " +
		"emailAddress, valid once and for 60 minutes; url is then the redirect, to which responseType redirect leads with status=pending. At " +
		"most one link per 30 seconds and five per hour, per address and per user: then 429 with Retry-After."
	connectNote = "Looks for the code of GET /api/{authType}/auth in the public profile of short_video, forum_platform or photo_platform, and " +
		"connects the account. What the member can mend is answered with 200 and error."
	disconnectNote = "Removes the account from the user's metadata, and revokes what dynamic rules have granted for it. Without an account nothing changes."

	sendCodeNote = "Sends six digits by SMS, valid for 10 minutes, and returns once the operator's gateway has accepted the message. A new code " +
		"ends the one before. At most one code per 30 seconds and five per hour, per number and per user: then 429 with " +
		"Retry-After. Client keys name the user and send its member token."
	connectPhoneNote = "Every code that was checked is answered with 200. error is INVALID_CODE, CODE_EXPIRED, TOO_MANY_ATTEMPTS after five wrong codes, " +
		"or MAXIMUM_ACCOUNT_LINKED, if another user has connected the number: accountLinkData then moves it by POST /api/users/verify."
	disconnectPhoneNote = "Clears the number and takes the badges back that rules of type connected_phone have granted."
	deprecatedNote      = " Deprecated: the same as the operation under /api/phone_verifications, without data around the answer."

	exampleNumber = `"phoneNumber":"+15555550123"`
)

// New returns the operations on connections. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	send := rest.Example(`{` + rest.ExampleWallet + `,` + exampleNumber + `}`)
	connect := rest.Example(`{` + rest.ExampleWallet + `,` + exampleNumber + `,"code":"123456"}`)
	disconnect := rest.Example(`{` + rest.ExampleWallet + `}`)
	return Operations{
		Start:         rest.Handle(h.start, rest.Redirects, rest.Note(startNote)),
		Connect:       rest.Handle(h.connect, rest.Redirects, rest.Note(connectNote)),
		Disconnect:    rest.Handle(h.disconnect, rest.Note(disconnectNote), disconnect),
		Callback:      h.callback,
		EmailPage:     h.emailPage,
		ConfirmEmail:  h.confirmEmail,
		SendPhoneCode: rest.Handle(wrapped(h.sendPhoneCode), rest.Note(sendCodeNote), send),
		ConnectPhone: rest.Handle(
			wrapped(h.connectPhone), rest.Note(connectPhoneNote), connect, rest.Secret("data.accountLinkData"),
		),
		DisconnectPhone:   rest.Handle(wrapped(h.disconnectPhone), rest.Note(disconnectPhoneNote), disconnect),
		SendBarePhoneCode: rest.Handle(h.sendPhoneCode, rest.Note(sendCodeNote+deprecatedNote), send),
		ConnectBarePhone: rest.Handle(
			h.connectPhone, rest.Note(connectPhoneNote+deprecatedNote), connect, rest.Secret("accountLinkData"),
		),
		DisconnectBarePhone: rest.Handle(h.disconnectPhone, rest.Note(disconnectPhoneNote+deprecatedNote), disconnect),
	}
}
