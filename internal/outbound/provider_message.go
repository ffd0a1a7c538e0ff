package outbound

import "errors"

// The messages to callers who wait for a provider of the operator that gives no valid response (contract 5.1). They
// name the kind of fault: addresses and responses are for the log.
const (
	ProviderSlow        = "Provider did not answer in time"
	ProviderBusy        = "Provider is rate limited, please try again later"
	ProviderInvalid     = "Provider did not give a valid answer"
	ProviderUnreachable = "Provider could not be reached"
	providerBroken      = "Provider broke off the connection"
	ProviderFailed      = "Provider failed"
	providerPaused      = "Provider failed several times in a row and is left alone for a while"
)

// providerMessages maps kinds of faults to messages to callers.
var providerMessages = map[Kind]string{
	KindServerError:     ProviderFailed,
	KindTooManyRequests: ProviderBusy,
	KindCircuitOpen:     providerPaused,
	KindNotAllowed:      ProviderUnreachable,
	KindInvalidResponse: ProviderInvalid,
	KindTimedOut:        ProviderSlow,
	KindNoConnection:    ProviderUnreachable,
	KindConnectionLost:  providerBroken,
}

// ProviderMessage returns the message to callers for a failed call of a provider.
func ProviderMessage(err error) string {
	var fault *Fault
	if !errors.As(err, &fault) {
		return ProviderUnreachable
	}
	return providerMessages[fault.Kind()]
}

// PlatformMessage returns the message to callers for a failed call of a platform: rate limited, not in time or invalid,
// the three that contract 5.1 knows of platforms.
func PlatformMessage(fault *Fault) string {
	switch fault.Kind() {
	case KindTooManyRequests:
		return ProviderBusy
	case KindInvalidResponse:
		return ProviderInvalid
	default:
		return ProviderSlow
	}
}
