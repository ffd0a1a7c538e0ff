package web

import (
	"net/http"
	"time"
)

// SetCookie gives the browser a cookie that scripts cannot read, and that it sends to the path and below.
func (c *Call) SetCookie(name, value, path string, lifetime time.Duration) {
	c.setCookie(name, value, path, int(lifetime.Seconds()))
}

// DeleteCookie removes a cookie of SetCookie.
func (c *Call) DeleteCookie(name, path string) { c.setCookie(name, "", path, -1) }

func (c *Call) setCookie(name, value, path string, maxAge int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: c.Secure,
	})
}

// CookieValue returns the value of a cookie that the browser has sent; "" if there is none of the name.
func (c *Call) CookieValue(name string) string {
	cookie, err := c.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
