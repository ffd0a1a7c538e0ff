package apptest

import (
	"fmt"
	"sync/atomic"
)

var registered atomic.Int64

// Contract registers a contract of a token that no other test has, and returns its id.
func (s *Server) Contract() string {
	s.T.Helper()
	body := Object{"name": "A token", "address": fmt.Sprintf("0x%040x", 0xc0de_0000+registered.Add(1)), "chainId": 8453, "type": "erc20"}
	return s.Post("/api/contracts", body).Created()["id"].(string)
}

// Function makes a function that returns 1, and returns its id.
func (s *Server) Function() string {
	s.T.Helper()
	code := "module.exports.handler = (input, output) => { output.setResult(1); return output.buildOutput() }"
	return s.Post("/api/stratus/functions", Object{"name": "A function", "code": code}).OK()["id"].(string)
}

// Lost has a rule name a function that is deleted then.
func (s *Server) Lost(rule string) {
	s.T.Helper()
	function := s.Function()
	s.Update(rule, Object{"functionId": function})
	s.Call(s.WebsiteAPIKey, "DELETE", "/api/stratus/functions/"+function, nil).OK()
}
