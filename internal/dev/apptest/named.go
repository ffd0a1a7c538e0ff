package apptest

import (
	"fmt"
	"sync/atomic"
)

// registered counts the contracts of tests, so that each has an address of its own.
var registered atomic.Int64

// RegisterContract registers a contract of a token that no other test has, and returns its id.
func (s *Server) RegisterContract() string {
	s.T.Helper()
	body := Object{"name": "A token", "address": fmt.Sprintf("0x%040x", 0xc0de_0000+registered.Add(1)), "chainId": 8453, "type": "erc20"}
	return s.Post("/api/contracts", body).Created()["id"].(string)
}

// CreateFunction creates a function that returns 1, and returns its id.
func (s *Server) CreateFunction() string {
	s.T.Helper()
	code := "module.exports.handler = (input, output) => { output.setResult(1); return output.buildOutput() }"
	return s.Post("/api/stratus/functions", Object{"name": "A function", "code": code}).OK()["id"].(string)
}

// UseDeletedFunction lets a rule use a function, and then deletes the function.
func (s *Server) UseDeletedFunction(rule string) {
	s.T.Helper()
	function := s.CreateFunction()
	s.Update(rule, Object{"functionId": function})
	s.Call(s.WebsiteAPIKey, "DELETE", "/api/stratus/functions/"+function, nil).OK()
}
