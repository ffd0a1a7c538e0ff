package account

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"

	"laurel.example/laurel/internal/admins"
)

// What a session holds of a second factor that is offered.
const (
	offerSecretKey  = "offer"
	offerAddressKey = "offer address"
	offerExpiryKey  = "offer until" // RFC 3339
)

// offerLifetime is how long an offer is valid, so that a page that is left open is no way in.
const offerLifetime = 10 * time.Minute

// secondFactorOffer is a second factor that an app can take in: as a picture, by a link, or typed.
type secondFactorOffer struct {
	Secret  string
	Address template.URL // otpauth://…, which only apps open
	Size    int          // of the picture, in modules
	Picture string       // the path that an SVG of that size draws
}

// qrMargin is the empty border that readers need around a picture, in modules (ISO/IEC 18004).
const qrMargin = 4

// drawOffer returns the offer of a new second factor, with its address as a QR code that an SVG path draws.
func drawOffer(enrolment admins.Enrolment) (secondFactorOffer, error) {
	code, err := qr.Encode(enrolment.Address, qr.M, qr.Auto)
	if err != nil {
		return secondFactorOffer{}, err
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if red, _, _, _ := code.At(x, y).RGBA(); red == 0 { // a dark module
				path.WriteString("M" + strconv.Itoa(x+qrMargin) + " " + strconv.Itoa(y+qrMargin) + "h1v1h-1z")
			}
		}
	}
	return secondFactorOffer{
		Secret: enrolment.Secret, Address: template.URL(enrolment.Address),
		Size: size + 2*qrMargin, Picture: path.String(),
	}, nil
}
