package dashboard

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"

	"laurel/internal/admins"
)

// What a session holds of a second factor that is offered.
const (
	offeredKey   = "offer"
	offeredAt    = "offer address"
	offeredUntil = "offer until" // RFC 3339
)

// offerLives is how long an offer counts: who leaves the page open leaves no way in.
const offerLives = 10 * time.Minute

// offer is a second factor that an app can take in: as a picture, by a link, or typed.
type offer struct {
	Secret  string
	Address template.URL // otpauth://…, which only apps open
	Size    int          // of the picture, in modules
	Picture string       // the path that an SVG of that size draws
}

// margin is the empty border that readers need around a picture, in modules (ISO/IEC 18004).
const margin = 4

// newOffer draws the QR code of an offer.
func newOffer(e admins.Enrolment) (offer, error) {
	code, err := qr.Encode(e.Address, qr.M, qr.Auto)
	if err != nil {
		return offer{}, err
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		for x := range size {
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				path.WriteString("M" + strconv.Itoa(x+margin) + " " + strconv.Itoa(y+margin) + "h1v1h-1z")
			}
		}
	}
	return offer{
		Secret: e.Secret, Address: template.URL(e.Address), Size: size + 2*margin, Picture: path.String(),
	}, nil
}
