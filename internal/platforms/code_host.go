package platforms

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// codeHost asks the REST API of GitHub, version 2022-11-28 (https://docs.github.com/rest). Stars, forks and merged pull
// requests of public repositories need no token; collaborators need one that may push to the repository.
var codeHost = apiDriver{
	url: "https://api.github.com",
	headers: func(token string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + token, "X-GitHub-Api-Version": "2022-11-28"}
	},
	answers: map[string]apiAnswer{
		"code_host_repo_star":         {codeHostStar, []string{"codeHostRepoUrl"}},
		"code_host_repo_fork":         {codeHostFork, []string{"codeHostRepoUrl"}},
		"code_host_repo_collaborator": {codeHostCollaborator, []string{"codeHostRepoUrl"}},
		"code_host_merge_request":     {codeHostMergedRequests, []string{"codeHostRepoUrl"}},
	},
}

// codeHostPage is how many items the API returns at once, at most.
const codeHostPage = 100

// codeHostRepository is a repository as lists show it.
type codeHostRepository struct {
	FullName string `json:"full_name"`
	Fork     bool   `json:"fork"`
	Owner    struct {
		ID    json.Number `json:"id"`
		Login string      `json:"login"`
	} `json:"owner"`
	Source *struct {
		FullName string `json:"full_name"`
	} `json:"source"`
}

// repositoryOf returns the owner and the name of the rule's repository, separated by a slash; "" for an address that is
// none of a repository.
func repositoryOf(q Question) string {
	u, err := url.Parse(q.text("codeHostRepoUrl"))
	if err != nil {
		return ""
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	if len(parts) < 2 {
		return ""
	}
	return parts[0] + "/" + strings.TrimSuffix(parts[1], ".git")
}

// escapedRepository returns a repository as segments of a path.
func escapedRepository(repository string) string {
	owner, name, _ := strings.Cut(repository, "/")
	return url.PathEscape(owner) + "/" + url.PathEscape(name)
}

// codeHostLogin returns the present name of an account: accounts may be renamed, and their ids stay. "": there is no
// such account, or the rule names no repository.
func codeHostLogin(ctx context.Context, s *apiSession, q Question) (string, error) {
	a := q.Account
	switch {
	case repositoryOf(q) == "":
		return "", nil
	case a.ID == "":
		return a.Name, nil
	}
	var user struct{ Login string }
	status, err := s.get(ctx, "/user/"+url.PathEscape(a.ID), nil, &user)
	if err == nil {
		err = unexpected(status)
	}
	return user.Login, err
}

// codeHostStar looks for the repository among those that the account has starred, the latest first.
func codeHostStar(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	login, err := codeHostLogin(ctx, s, q)
	if login == "" || err != nil {
		return Finding{}, err
	}
	found, err := findRepository(ctx, s, "/users/"+url.PathEscape(login)+"/starred",
		url.Values{"sort": {"created"}, "direction": {"desc"}},
		func(r codeHostRepository) bool { return strings.EqualFold(r.FullName, repositoryOf(q)) })
	return Finding{Found: found}, err
}

// codeHostFork looks for a fork by the account: under the same name, and then in the list of forks, the latest first.
func codeHostFork(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	login, err := codeHostLogin(ctx, s, q)
	if login == "" || err != nil {
		return Finding{}, err
	}
	repository := repositoryOf(q)
	_, name, _ := strings.Cut(repository, "/")
	var same codeHostRepository
	status, err := s.get(ctx, "/repos/"+escapedRepository(login+"/"+name), nil, &same)
	if err == nil {
		err = unexpected(status)
	}
	if err != nil || same.Fork && same.Source != nil && strings.EqualFold(same.Source.FullName, repository) {
		return Finding{Found: err == nil}, err
	}
	found, err := findRepository(ctx, s, "/repos/"+escapedRepository(repository)+"/forks",
		url.Values{"sort": {"newest"}},
		func(r codeHostRepository) bool { return strings.EqualFold(r.Owner.Login, login) })
	return Finding{Found: found}, err
}

// findRepository reports whether a list holds a repository, page by page.
func findRepository(
	ctx context.Context, s *apiSession, path string, query url.Values, isMatch func(codeHostRepository) bool,
) (bool, error) {
	query.Set("per_page", strconv.Itoa(codeHostPage))
	for page := 1; ; page++ {
		query.Set("page", strconv.Itoa(page))
		var list []codeHostRepository
		status, err := s.get(ctx, path, query, &list)
		if err == nil {
			err = unexpected(status)
		}
		if err != nil {
			return false, err
		}
		for _, r := range list {
			if isMatch(r) {
				return true, nil
			}
		}
		if len(list) < codeHostPage {
			return false, nil
		}
	}
}

// codeHostCollaborator reports whether the account is a collaborator: the status is 204, or 404.
func codeHostCollaborator(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	login, err := codeHostLogin(ctx, s, q)
	if login == "" || err != nil {
		return Finding{}, err
	}
	path := "/repos/" + escapedRepository(repositoryOf(q)) + "/collaborators/" + url.PathEscape(login)
	status, err := s.get(ctx, path, nil, nil)
	if err == nil {
		err = unexpected(status)
	}
	return Finding{Found: err == nil && status == 204}, err
}

// codeHostMergedRequests counts the pull requests of the account that were merged in the time that counts.
func codeHostMergedRequests(ctx context.Context, s *apiSession, q Question) (Finding, error) {
	login, err := codeHostLogin(ctx, s, q)
	if login == "" || err != nil {
		return Finding{}, err
	}
	terms := []string{"is:pr", "is:merged", "repo:" + repositoryOf(q), "author:" + login}
	if branch := q.text("codeHostBranchName"); branch != "" {
		terms = append(terms, "base:"+strconv.Quote(branch))
	}
	if !q.Since.IsZero() {
		terms = append(terms, "merged:>="+q.Since.UTC().Format(time.RFC3339))
	}
	var result struct {
		Total             int64 `json:"total_count"`
		IncompleteResults bool  `json:"incomplete_results"`
	}
	status, err := s.get(ctx, "/search/issues",
		url.Values{"q": {strings.Join(terms, " ")}, "per_page": {"1"}}, &result)
	switch {
	case err != nil:
		return Finding{}, err
	case status == 422: // the repository or the account cannot be searched
		return count(0), nil
	case status != 200 || result.IncompleteResults:
		return Finding{}, ErrNoAnswer
	}
	return count(result.Total), nil
}
