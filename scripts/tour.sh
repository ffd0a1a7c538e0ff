#!/usr/bin/env bash
# A walk through the API with curl and jq alone, on a server of its own: scripts/tour.sh sqlite|postgres
# Every step says what it asks for, checks the answer and shows what it saw. Needs Go to build the server.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/postgres.sh
. scripts/server.sh

engine=${1:-sqlite}
passed=0 failed=0 server='' work=$(mktemp -d /tmp/laurel-tour.XXXXXX)

finish() {
	stop_server
	[ -z "${PG_DIR:-}" ] || stop_postgres
	rm -rf "${work:?}"
}

die() {
	echo "tour: $*" >&2
	[ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
	exit 1
}

trap finish EXIT
for tool in go curl jq; do command -v "$tool" >/dev/null || die "$tool is needed"; done
case $engine in
sqlite) database="sqlite:$work/laurel.db" ;;
postgres) start_postgres || die "$PG_MISSING"; database=$LAUREL_TEST_POSTGRES ;;
*) die "usage: scripts/tour.sh sqlite|postgres" ;;
esac
trap finish EXIT # again: start_postgres sets a trap of its own

title() { printf '\n%s\n' "$*"; }

# call KEY METHOD PATH [BODY]: leaves the status in $status and the answer in $work/answer. KEY - sends no key.
call() {
	local key=$1 method=$2 path=$3 options=()
	[ "$key" = - ] || options+=(-H "X-API-KEY: $key")
	[ $# -lt 4 ] || options+=(-H 'Content-Type: application/json' -d "$4")
	asked="$method ${path%%\?*}"
	status=$(curl -sS -o "$work/answer" -w '%{http_code}' -X "$method" ${options[@]+"${options[@]}"} "$base$path") || die "no answer to $asked"
}

result() { # result OK? SENTENCE SAW
	if [ "$1" = yes ]; then
		passed=$((passed + 1))
		printf '  ok    %-58s %s\n' "$2" "$3"
	else
		failed=$((failed + 1))
		printf '  FAIL  %-58s %s\n' "$2" "$3"
	fi
}

# sees SENTENCE CONDITION SHOW: the answer is 200 and meets the jq condition; SHOW is a jq expression of what to print.
sees() {
	if [ "$status" = 200 ] && jq -e "$2" "$work/answer" >/dev/null 2>&1; then
		result yes "$1" "$(jq -rc "$3" "$work/answer")"
	else
		result no "$1" "status $status, wanted $2: $(head -c 600 "$work/answer")"
	fi
}

# refused SENTENCE STATUS MESSAGE
refused() {
	local message
	message=$(jq -r .message "$work/answer")
	if [ "$status" = "$2" ] && [ "$message" = "$3" ]; then result yes "$1" "$status $message"; else
		result no "$1" "$status $message, wanted $2 $3"
	fi
}

value() { jq -r "$1" "$work/answer"; }

title "Build the server and start it on $engine"
export LAUREL_DATABASE_URL=$database
start_server "$work/log" || die "it does not start"
call - GET /readyz
sees "the server is ready" '.status == "ok"' '"'"$base"'"'

title "Make an organization with a website, a currency and keys"
init() { bin/laurel init --name "$1" --website "$1 website" --currency Points --json >"$work/answer" 2>>"$work/log" && status=200 || status=failed; }
init Other
other=$(value .websiteApiKey)
init Acme
sees "laurel init --json prints eight values" '(keys | length) == 8' 'keys | join(" ")'
org=$(value .organizationId) site=$(value .websiteId) currency=$(value .loyaltyCurrencyId)
key=$(value .websiteApiKey) reader=$(value .readOnlyApiKey) client=$(value .clientApiKey)
alice=0x00000000000000000000000000000000000000a1 bob=0x00000000000000000000000000000000000000b2 carol=0x00000000000000000000000000000000000000c3
began=$(date -u +%Y-%m-%dT%H:%M:%S.000Z -d '-1 second' 2>/dev/null || date -u -v-1S +%Y-%m-%dT%H:%M:%S.000Z)

title "Make a rule and complete it for three wallets"
call "$key" POST /api/loyalty/rules '{"name":"Welcome","type":"external_rule","amount":10,"interval":"once","description":"Ten points for coming"}'
sees "a rule that pays 10 points once" '.amount == 10 and .interval == "once" and .loyaltyCurrencyId == "'"$currency"'"' '"\(.name) \(.id)"'
rule=$(value .id)
for wallet in "$alice" "$bob" "$carol"; do
	call "$key" POST "/api/loyalty/rules/$rule/complete" '{"walletAddress":"'"$wallet"'"}'
	sees "completed for ${wallet:0:4}…${wallet: -2}" '.data.status == "completed" and .data.rewards[0].amount == 10' '"+\(.data.rewards[0].amount)  \(.message)"'
done
call "$key" POST "/api/loyalty/rules/$rule" '{"name":"Welcome!"}'
sees "the rule is renamed" '.name == "Welcome!" and .amount == 10' .name
call "$client" GET /api/loyalty/rules
sees "a publishable key lists the rules" '(.data | length) == 1 and .data[0].id == "'"$rule"'"' '.data[0].name'
call "$key" POST /api/loyalty/transactions '{"description":"Order A-1","type":"order","loyaltyCurrencyId":"'"$currency"'","entries":[{"walletAddress":"'"$alice"'","amount":5.25,"idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}]}'
sees "5.25 more for alice by a transaction" '.entries[0].amount == 5.25 and .type == "order"' '"+\(.entries[0].amount)  \(.description)"'
order=$(value .id)
call "$key" POST /api/loyalty/transactions '{"description":"Order A-1","type":"order","loyaltyCurrencyId":"'"$currency"'","entries":[{"walletAddress":"'"$alice"'","amount":5.25,"idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}]}'
sees "the same again is the same transaction" '.id == "'"$order"'"' .id

title "Balances"
accounts="/api/loyalty/accounts?loyaltyCurrencyId=$currency"
call "$reader" GET "$accounts"
sees "the leaderboard" '[.data[].amount] == [15.25, 10, 10]' '[.data[] | "\(.user.walletAddress[-2:]) \(.amount)"] | join(", ")'
account_of() { jq -r --arg w "$1" '.data[] | select(.user.walletAddress == $w) | .'"$2" "$work/answer"; }
a=$(account_of "$alice" id) b=$(account_of "$bob" id) c=$(account_of "$carol" id) alice_id=$(account_of "$alice" userId)
call "$reader" GET "$accounts&walletAddress=$bob"
sees "bob's account alone" '(.data | length) == 1 and .data[0].amount == 10 and .data[0].lockVersion == 1' '"\(.data[0].amount) after \(.data[0].lockVersion) change"'
call "$reader" GET "$accounts&userId="
sees "the main account gave all of it" '.data[0].amount == -35.25 and .data[0].userId == null' '.data[0].amount'

title "Ranks: bob and carol tie"
rank() { call "$reader" GET "/api/loyalty/accounts/$1/rank?organizationId=$org&websiteId=$site&loyaltyCurrencyId=$currency"; }
rank "$a"; sees "alice" '.rank == 1' .rank
rank "$b"; sees "bob" '.rank == 2' .rank
rank "$c"; sees "carol" '.rank == 2' .rank

title "Entries, by each filter"
call "$key" POST /api/users/metadatas '{"walletAddress":"'"$bob"'","walletGroupIdentifier":"the-bobs","userGroupExternalIdentifier":"team-1"}'
sees "bob joins a group" '.userGroup.externalIdentifier == "team-1"' '.userGroup.externalIdentifier'
team=$(value .userGroupId)
# entries SENTENCE QUERY AMOUNTS: the list's amounts, newest first unless sorted otherwise.
entries() {
	call "$reader" GET "/api/loyalty/transaction_entries?$2"
	sees "$1" "[.data[].amount] == $3" '[.data[] | "\(.loyaltyAccount.user.walletAddress[-2:] // "main") \(.amount)"] | if . == [] then "none" else join(", ") end'
}
entries "all of the website" "" "[5.25, 10, 10, 10]"
entries "organizationId" "organizationId=$org" "[5.25, 10, 10, 10]"
entries "websiteId" "websiteId=$site" "[5.25, 10, 10, 10]"
entries "limit" "limit=1" "[5.25]"
first=$(value '.data[0].id')
sees "there is a next page" .hasNextPage .hasNextPage
entries "startingAfter" "startingAfter=$first" "[10, 10, 10]"
sees "there is no further page" '.hasNextPage == false' .hasNextPage
entries "walletAddress" "walletAddress=$alice" "[5.25, 10]"
entries "walletAddress, two of them" "walletAddress=$alice,$bob" "[5.25, 10, 10]"
entries "userId" "userId=$alice_id" "[5.25, 10]"
entries "userId, empty: the main account" "userId=&limit=1" "[5.25]"
entries "walletGroupIdentifier" "walletGroupIdentifier=the-bobs" "[10]"
entries "userGroupExternalIdentifier" "userGroupExternalIdentifier=team-1" "[10]"
entries "userGroupId" "userGroupId=$team" "[10]"
entries "loyaltyTransactionId" "loyaltyTransactionId=$order" "[5.25]"
sees "the caller's metadata came back" '.data[0].metadata.orderId == "A-1"' '.data[0].metadata'
entries "loyaltyAccountId" "loyaltyAccountId=$b" "[10]"
entries "loyaltyRuleId" "loyaltyRuleId=$rule" "[10, 10, 10]"
sees "the rule is told with the entry" '.data[0].loyaltyTransaction.loyaltyRule.name == "Welcome!"' '.data[0].loyaltyTransaction.loyaltyRule.name'
entries "loyaltyRuleType" "loyaltyRuleType=external_rule" "[10, 10, 10]"
entries "loyaltyRuleType, another" "loyaltyRuleType=check_in" "[]"
entries "loyaltyRuleGroupId: the rule is in none" "loyaltyRuleGroupId=$org" "[]"
entries "idempotencyKey" "idempotencyKey=A-1" "[5.25]"
entries "type" "type=order" "[5.25]"
entries "type loyalty_rule" "type=loyalty_rule" "[10, 10, 10]"
entries "direction" "direction=debit" "[]"
entries "loyaltyCurrencyId" "loyaltyCurrencyId=$currency" "[5.25, 10, 10, 10]"
entries "loyaltyCurrencyId, another" "loyaltyCurrencyId=$org" "[]"
entries "createdAtStart: all are younger than the tour" "createdAtStart=$began" "[5.25, 10, 10, 10]"
entries "createdAtEnd: none is older" "createdAtEnd=$began" "[]"
entries "sortDir=asc" "sortDir=asc" "[10, 10, 10, 5.25]"
entries "sortBy=updatedAt" "sortBy=updatedAt" "[5.25, 10, 10, 10]"
entries "sortBy=loyaltyAccountLockVersion" "sortBy=loyaltyAccountLockVersion&walletAddress=$alice" "[5.25, 10]"
sees "the running balance" '[.data[] | .loyaltyAccountStartAmount, .loyaltyAccountEndAmount] == [10, 15.25, 0, 10]' '[.data[] | "\(.loyaltyAccountStartAmount) -> \(.loyaltyAccountEndAmount)"] | join(", ")'
entries "userCompletedLoyaltyRuleId: carol cannot complete it now" "userCompletedLoyaltyRuleId=$rule&walletAddress=$carol" "[10]"

title "A rule's history, and one change undone"
call "$key" POST /api/loyalty/rules '{"name":"Quest","type":"external_rule","amount":7,"trackProgress":true,"editComment":"a first try"}'
quest=$(value .id)
call "$key" POST "/api/loyalty/rules/$quest" '{"amount":70,"editComment":"a slip of the hand"}'
call "$key" POST "/api/loyalty/rules/$quest" '{"description":"Find the key"}'
call "$reader" GET "/api/loyalty/rule_edits?loyaltyRuleId=$quest"
sees "three edits, newest first" '[.data[].action] == ["update", "update", "create"] and .hasNextPage == false' '[.data[] | "\(.action) \(.comment // "")"] | join(", ")'
sees "an edit tells what changed, and from what" '.data[1].data == {amount: 70} and .data[1].previousData == {amount: 7}' '.data[1] | "\(.previousData.amount) -> \(.data.amount)"'
slip=$(value '.data[1].id') birth=$(value '.data[2].id')
call "$key" POST "/api/loyalty/rule_edits/$slip/restore" '{"editComment":"as it was"}'
sees "the slip is undone by an edit of its own" '.action == "restore" and .data == {amount: 7} and .previousData == {amount: 70}' '"\(.previousData.amount) -> \(.data.amount)  \(.comment)"'
call "$reader" GET "/api/loyalty/rules?loyaltyRuleId=$quest"
sees "what changed later stays" '.data[0].amount == 7 and .data[0].description == "Find the key"' '"\(.data[0].amount) \(.data[0].description)"'
call "$key" POST "/api/loyalty/rule_edits/$birth/restore"
refused "a creation cannot be undone" 400 "A create edit cannot be restored"

title "Progress: refused at 60, paid at 100"
complete() { call "$key" POST "/api/loyalty/rules/${2:-$rule}/complete" "$1"; }
progress() { call "$key" POST /api/loyalty/rule_statuses '{"loyaltyRuleId":"'"$quest"'","walletAddress":"'"$carol"'",'"$1"'}'; }
progress '"progress":60'; sees "carol is at 60" '.progress == 60' .progress
complete '{"walletAddress":"'"$carol"'"}' "$quest"; refused "60 is not enough" 400 "Quest not completed"
progress '"incProgress":60'; sees "60 more end at 100" '.progress == 100' .progress
complete '{"walletAddress":"'"$carol"'"}' "$quest"
sees "now it pays" '.data.status == "completed" and .data.rewards[0].amount == 7' '"+\(.data.rewards[0].amount)"'
call "$reader" GET "/api/loyalty/rules/status?loyaltyRuleId=$quest&walletAddress=$carol"
sees "what became of it" '.data[0].status == "completed" and .data[0].progress == 100' '.data[0] | "\(.status) \(.message)"'

title "Codes that are good once"
call "$key" POST /api/loyalty/rules '{"name":"Ticket","type":"code_entry","amount":3,"metadata":{"promoCodeType":"generate","promoCodeLength":2}}'
ticket=$(value .id)
call "$key" GET "/api/loyalty/rules/$ticket/codes"
sees "two codes" '(.data | length) == 2 and all(.data[]; (.code | test("^[A-Z2-9]{10}$")) and .redeemedAt == null)' '[.data[].code] | join(" ")'
code=$(value '.data[0].code')
complete '{"walletAddress":"'"$carol"'","verificationCode":"guess"}' "$ticket"; refused "a guess" 400 "The code you entered could not be verified"
complete '{"walletAddress":"'"$carol"'","verificationCode":" '"$code"' "}' "$ticket"
sees "carol uses one" '.data.rewards[0].amount == 3' '"+\(.data.rewards[0].amount)"'
complete '{"walletAddress":"'"$bob"'","verificationCode":"'"$code"'"}' "$ticket"; refused "bob comes too late with it" 400 "The code you entered could not be verified"
call "$key" GET "/api/loyalty/rules/$ticket/codes?redeemed=true"
sees "one code is used" '[.data[].code] == ["'"$code"'"] and .data[0].redeemedByUserId != null' '.data[0] | "\(.code) \(.redeemedAt)"'

title "Refusals"
complete '{"walletAddress":"'"$alice"'"}'
refused "once is once" 400 "You have already been rewarded"
complete '{"walletAddress":"'"$alice"'","idempotencyKey":"visit-1"}'
sees "a key of the caller's own opens a window of its own" '.data.rewards[0].amount == 10' '.data.rewards[0].amount'
complete '{"walletAddress":"'"$bob"'","idempotencyKey":"visit-1"}'
refused "the key with another user" 400 "Idempotency key already used"
complete '{}'; refused "nobody is named" 400 "userId or walletAddress is required"
complete '{"walletAddress":"'"$alice"'"}' nonsense; refused "a rule id that is none" 400 "loyaltyRuleId must be a uuid"
complete '{"walletAddress":"'"$alice"'"}' "$org"; refused "a rule that does not exist" 404 "Loyalty rule not found"
complete '{"walletAddress":'; refused "half a completion" 400 "Invalid request"
call "$key" POST /api/loyalty/transactions '{"description":'; refused "half a transaction" 400 "Malformed JSON body"
call "$key" POST /api/loyalty/rules '{"name":"Ended","type":"external_rule","endTime":"2020-01-01T00:00:00Z"}'
complete '{"walletAddress":"'"$alice"'"}' "$(value .id)"; refused "a rule that has ended" 400 "Loyalty rule has expired"
call "$key" POST /api/loyalty/rules '{"name":"Soon","type":"external_rule","startTime":"2100-01-01T00:00:00Z"}'
complete '{"walletAddress":"'"$alice"'"}' "$(value .id)"; refused "a rule that has not begun" 400 "Loyalty rule Soon has not started yet"
call "$key" POST /api/loyalty/transactions '{"description":"Too much","loyaltyCurrencyId":"'"$currency"'","entries":[{"walletAddress":"'"$carol"'","amount":20.000001,"direction":"debit"}]}'
refused "a millionth more than there is" 400 "Insufficient balance"
call "$key" GET '/api/loyalty/transaction_entries?limit=101'; refused "a limit out of range" 400 "limit must be between 1 and 100"
call "$key" GET "/api/loyalty/transaction_entries?startingAfter=$org"; refused "a cursor of nothing" 400 "startingAfter not found"
call "$key" GET /api/loyalty/nothing; refused "an unknown path" 404 "Route not found"

title "Keys"
call - GET /api/loyalty/rules; refused "no key" 403 "API key is required"
call nonsense GET /api/loyalty/rules; refused "a key that is none" 403 "Invalid API key"
call "$reader" POST /api/loyalty/rules '{"name":"x","type":"external_rule"}'; refused "a read-only key writes" 403 "API key is read-only"
call "$client" POST "/api/loyalty/rules/$rule/complete" '{"walletAddress":"'"$alice"'"}'
refused "a publishable key names a member without a token" 403 "Member token is required"
call "$other" GET "/api/loyalty/rules?organizationId=$org"
refused "another organization's key names this organization" 403 "API key does not have access to this organization"
call "$other" GET "/api/loyalty/rules?websiteId=$site"
refused "another organization's key names this website" 403 "API key does not have access to this website"
call "$other" POST "/api/loyalty/rules/$rule/complete" '{"walletAddress":"'"$alice"'"}'
refused "another organization's key names this rule" 404 "Loyalty rule not found"
bin/laurel keys create --organization "$org" --website "$site" --role WEBSITE_API_KEY --json >"$work/answer" 2>>"$work/log" && status=200 || status=failed
sees "laurel keys create" '.key | startswith("lrl_w_")' .name
spare=$(value .key) spare_id=$(value .id)
call "$spare" GET /api/loyalty/rules; sees "the new key works" '.data | length > 0' '.data | length'
bin/laurel keys revoke "$spare_id" >>"$work/log" 2>&1
sleep 1
call "$spare" GET /api/loyalty/rules; refused "and a second after laurel keys revoke it does not" 403 "Invalid API key"

title "A quiz: right, wrong, and nothing"
dave=0x00000000000000000000000000000000000000d4 erin=0x00000000000000000000000000000000000000e5 frank=0x00000000000000000000000000000000000000f6
named() { printf '{"walletAddress":"%s"%s}' "$1" "${2:+,$2}"; }
made() { call "$key" POST /api/loyalty/rules "$1"; value .id; }
quiz=$(made '{"name":"Quiz","type":"quiz","amount":4}')
call "$key" POST /api/loyalty/questions '{"loyaltyRuleId":"'"$quiz"'","questionText":"Two and two?","loyaltyQuestionAnswers":[{"text":"4","isCorrect":true},{"text":"5"}]}'
sees "a question with two choices, and not which is right" '[.loyaltyQuestionChoices[].text] == ["4", "5"] and ([.. | objects | has("isCorrect")] | any | not)' '[.loyaltyQuestionChoices[].text] | join(", ")'
question=$(value .id) right=$(value '.loyaltyQuestionChoices[0].id') wrong=$(value '.loyaltyQuestionChoices[1].id')
call "$key" POST /api/loyalty/questions '{"loyaltyRuleId":"'"$quiz"'","questionText":"Another?","loyaltyQuestionAnswers":[{"text":"4","isCorrect":true},{"text":"5"}]}'
refused "a rule has one question" 400 "Question already exists"
complete "$(named "$dave")" "$quiz"; refused "dave chooses nothing" 400 "No choice selected"
complete "$(named "$dave" '"loyaltyQuestionChoiceId":"'"$wrong"'"')" "$quiz"; refused "dave is wrong" 400 "Invalid choice selected"
call "$key" POST /api/loyalty/questions_responses "$(named "$dave" '"loyaltyQuestionChoiceId":"'"$right"'"')"
sees "a second attempt changes nothing" '.alreadySubmitted and .isCorrect == false' '.response.loyaltyQuestionChoiceId'
complete "$(named "$erin" '"loyaltyQuestionChoiceId":"'"$right"'"')" "$quiz"
sees "erin is right" '.data.rewards[0].amount == 4' '"+\(.data.rewards[0].amount)"'
call "$reader" GET "/api/loyalty/questions_responses?questionsId=$question"
sees "both answers are kept" '[.data[].isCorrect] == [true, false]' '[.data[].isCorrect] | join(", ")'
call "$key" POST /api/loyalty/questions_responses "$(named "$dave" '"loyaltyQuestionChoiceId":"'"$org"'"')"
refused "a choice of no question" 404 "Question choice not found"

title "A streak"
streak=$(made '{"name":"Streak","type":"check_in","interval":"unlimited","amount":1,"metadata":{"enableStreaks":true,"streakArray":[{"streakMilestone":2,"streakAmount":9}]}}')
complete "$(named "$dave")" "$streak"; sees "dave checks in" '[.data.rewards[].amount] == [1]' '"+\(.data.rewards[0].amount)"'
complete "$(named "$dave")" "$streak"; sees "the second in a row is a milestone" '[.data.rewards[].amount] == [1, 9]' '[.data.rewards[].amount] | join(" and ")'
call "$reader" GET "/api/loyalty/account_streaks?loyaltyRuleId=$streak&walletAddress=$dave"
sees "two in a row" 'length == 1 and .[0].streakCount == 2' '.[0].streakCount'
call "$reader" GET /api/loyalty/account_streaks; refused "streaks of no rule" 400 "loyaltyRuleId is required"

title "Multipliers"
often=$(made '{"name":"Often","type":"external_rule","interval":"unlimited","amount":6}')
call "$key" POST /api/loyalty/multipliers "$(named "$dave" '"multiplier":2.5,"externalIdentifier":"vip"')"
sees "dave's rewards count two and a half times" '.multiplier == 2.5' .multiplier
complete "$(named "$dave")" "$often"; sees "6 become 15" '.data.rewards[0].amount == 15' '"+\(.data.rewards[0].amount)"'
call "$key" POST /api/loyalty/multipliers "$(named "$erin" '"multiplier":2,"externalIdentifier":"vip"')"
refused "the name is taken" 400 "Multiplier already exists"
call "$key" DELETE "/api/loyalty/multipliers?externalIdentifier=vip"; sees "it ends" '.deletedAt != null' .deletedAt
complete "$(named "$dave")" "$often"; sees "6 are 6 again" '.data.rewards[0].amount == 6' '"+\(.data.rewards[0].amount)"'
call "$key" DELETE "/api/loyalty/multipliers?externalIdentifier=vip"; refused "it cannot end twice" 404 "Multiplier not found"

title "A chain: one rule opens another"
key_rule=$(made '{"name":"Key","type":"external_rule","amount":1}') door=$(made '{"name":"Door","type":"external_rule","amount":2}')
chain() { call "$key" POST /api/loyalty/rule_chains '{"name":"First the key","loyaltyRuleId":"'"$1"'","loyaltyConditions":[{"type":"rule","loyaltyRuleIds":["'"$2"'"]}]}'; }
chain "$door" "$key_rule"; sees "the door needs the key" '.data.operatorType == "AND"' .data.name
chain "$key_rule" "$door"; refused "and not the key the door" 400 "Rule chain has a cycle"
complete "$(named "$dave")" "$door"; refused "dave has no key" 400 "Please complete other required rules to unlock this quest."
complete "$(named "$dave")" "$key_rule"; sees "dave gets the key" '.data.status == "completed"' '"+\(.data.rewards[0].amount)"'
complete "$(named "$dave")" "$door"; sees "and opens the door" '.data.rewards[0].amount == 2' '"+\(.data.rewards[0].amount)"'

title "A referral"
friends=$(made '{"name":"Friends","type":"referred_user","interval":"unlimited","amount":2,"metadata":{"referrerReward":3}}')
call "$key" POST /api/referral/codes "$(named "$dave" '"loyaltyRuleId":"'"$friends"'","customReferralCode":"DAVE"')"
sees "dave has a code" '.referralCode == "DAVE"' .referralCode
dave_id=$(value .userId)
call "$key" POST /api/users/metadatas "$(named "$frank" '"displayName":"Frank"')"
frank_id=$(value .userId)
refer() { call "$key" POST /api/referral/users '{"referralCode":"dave","userIds":["'"$1"'"]}'; }
refer "$dave_id"; refused "dave brings himself" 400 "Users cannot refer themselves"
refer "$frank_id"; sees "dave brings frank" . .
refer "$frank_id"; refused "once" 400 "User was already referred"
call "$reader" GET "/api/loyalty/transaction_entries?loyaltyRuleId=$friends"
sees "frank got 2 and dave 3" '[.data[].amount] | sort == [2, 3]' '[.data[].amount] | join(" and ")'
call "$reader" GET "/api/referral/users?userId=$dave_id"; sees "frank is among whom dave brought" '.data[0].eligible and .data[0].amount == 3' '.data[0].amount'

title "Tried, and not done: simulate"
simulate() { call "$key" POST "/api/loyalty/rules/$1/simulate" "$2"; }
simulate "$quest" "$(named "$dave")"
sees "what dave lacks of the quest" '.wouldComplete == false and .message == "Quest not completed" and .missing.progress == {have: 0, need: 100}' '.missing.progress'
simulate "$often" "$(named "$dave")"; sees "what he would get" '.wouldComplete and .rewards[0].amount == 6' '.rewards[0].amount'
simulate "$org" "$(named "$dave")"; refused "of a rule that does not exist" 404 "Loyalty rule not found"

title "A list of wallets from a file"
printf 'walletAddress,amount\n%s,8\n%s,9\n,1\n' "$dave" "$erin" >"$work/list.csv"
call "$key" POST /api/assets '{"fileName":"list.csv","fileSize":'"$(wc -c <"$work/list.csv")"',"filePath":"loyalty"}'
sees "a place for a file" '.url | endswith(".csv")' .url
list=$(value .url)
curl -sS -X PUT --data-binary "@$work/list.csv" "$base$(value .signedUrl)" >/dev/null || die "the file was not taken"
call "$key" GET /api/assets; sees "it is listed" '.data[0].url == "'"$list"'" and .data[0].uploadedAt != null' '"\(.data[0].fileSize) bytes"'
listed=$(made '{"name":"Airdrop","type":"points_airdrop","amount":1,"loyaltyUserAllotmentCsvUrl":"'"$list"'"}')
# eventually PATH CONDITION: asks again until the answer meets the jq condition, for ten seconds.
eventually() { for _ in $(seq 50); do call "$key" GET "$1"; jq -e "$2" "$work/answer" >/dev/null 2>&1 && break || sleep 0.2; done; }
eventually "/api/loyalty/rules/$listed/imports" '.data[0].status == "complete"'
sees "it is read, and a row without a wallet told" '.data[0].rowsKept == 2 and .data[0].rowsSkipped == 1 and .data[0].errors[0].line == 4' '.data[0] | "\(.rowsKept) kept, line \(.errors[0].line): \(.errors[0].message)"'
complete "$(named "$dave")" "$listed"; sees "dave gets what the list says" '.data.rewards[0].amount == 8' '"+\(.data.rewards[0].amount)"'
complete "$(named "$frank")" "$listed"; refused "frank is not on it" 400 "Access restricted. Your account is not on the list."
call "$key" GET "/api/loyalty/rules/$org/imports"; refused "imports of a rule that does not exist" 404 "Loyalty rule not found"

title "A rule that runs by itself"
upload=$(made '{"name":"Upload","type":"manual_upload","amount":1,"frequency":"once","loyaltyUserAllotmentCsvUrl":"'"$list"'"}')
eventually "/api/loyalty/rules/$upload/runs" '.data[0].status == "complete"'
sees "it ran over the list" '.data[0].rewarded == 2' '.data[0] | "\(.evaluated) evaluated, \(.rewarded) rewarded"'
complete "$(named "$dave")" "$upload"; refused "nobody can call it" 400 "Quest not completed"
call "$client" GET "/api/loyalty/rules/$upload/runs"; refused "its runs are not for publishable keys" 403 "API key is not allowed to perform this operation"

title "Points that expire, points that wait, and a reset"
call "$key" POST /api/loyalty/currencies '{"name":"Stamps","symbol":"ST","decimals":0,"pointsExpireAfterDays":30,"pointsWaitHours":24}'
sees "a currency with both" '.pointsExpireAfterDays == 30 and .pointsWaitHours == 24' .name
stamps=$(value .id)
stamped=$(made '{"name":"Stamp","type":"external_rule","amount":5,"loyaltyCurrencyId":"'"$stamps"'"}')
complete "$(named "$dave")" "$stamped"
sees "a reward that waits" '.data.status == "completed"' .data.status
call "$reader" GET "/api/loyalty/accounts?loyaltyCurrencyId=$stamps&walletAddress=$dave"
sees "is no part of the balance" '.data[0].amount == 0' '.data[0].amount'
lots=/api/loyalty/accounts/$(value '.data[0].id')/lots
call "$reader" GET "$lots"; sees "but a lot" '.data[0].state == "pending" and .data[0].amount == 5' '.data[0] | "\(.state) \(.amount)"'
lot=$(value '.data[0].id')
call "$key" POST "/api/loyalty/lots/$lot/release" '{}'; sees "that is released" '.state != "pending"' .state
call "$key" POST "/api/loyalty/lots/$lot/release" '{}'; refused "once" 400 "Lot is not pending"
call "$reader" GET "${lots%/lots}/expiring"; sees "and will expire" '.data[0].amount == 5 and .hasNextPage == false' '.data[0] | "\(.amount) at \(.expiresAt)"'
call "$reader" GET "/api/loyalty/accounts/$org/lots"; refused "lots of no account" 404 "Account not found"
reset() { call "$1" POST /api/loyalty/reset '{"loyaltyCurrencyId":"'"$stamps"'","type":"loyalty_reset_balances"}'; }
reset "$other"; refused "another organization's key resets it" 404 "Loyalty currency not found"
reset "$key"; sees "its own key does" .success .success
call "$reader" GET "/api/loyalty/accounts?loyaltyCurrencyId=$stamps&walletAddress=$dave"
sees "nothing is left" '.data[0].amount == 0' '.data[0].amount'

title "Functions, and events that set them off"
handler() { jq -nc --arg name "$1" --arg body "$2" '{name: $name, code: "module.exports.handler = async (input, output) => { \($body); return output.buildOutput(); };"}'; }
call "$key" POST /api/stratus/functions "$(handler double 'output.setResult({twice: input.input * 2})')"
sees "a function" '.version == 1' .name
double=$(value .id)
call "$key" POST /api/stratus/functions '{"name":"broken","code":"module.exports.handler = 1"}'
refused "one without a handler" 400 "Function code is invalid: it must call output.setResult or output.fail"
call "$key" POST "/api/stratus/functions/$double/invoke" '{"input":21}'
sees "it is invoked" '.data.status == "succeeded" and .data.output.twice == 42' .data.output
call "$other" GET "/api/stratus/functions/$double"; refused "another organization's key reads it" 404 "Function not found"
call "$key" POST /api/stratus/subscriptions '{"name":"Tour","organizationId":"'"$org"'","websiteId":"'"$site"'","platformSubscriptions":[{"tableNames":["LoyaltyTransactionEntry"]}]}'
sees "a subscription to entries" '.signingKey | startswith("whsec_")' .name
events=/api/stratus/subscriptions/$(value .id)
call "$key" POST /api/stratus/functions "$(handler thanks 'output.setResult([{walletAddress: "tour_thanks", amount: input.event.data.amount}])')"
sees "a function that rewards for events" '.version == 1' .name
thanks=$(made '{"name":"Thanks","type":"stratus_function","interval":"unlimited","loyaltyCurrencyId":"'"$currency"'","functionId":"'"$(value .id)"'","subscriptionId":"'"${events##*/}"'"}')
complete "$(named "$erin")" "$listed"; sees "erin earns 9" '.data.rewards[0].amount == 9' '.data.rewards[0].amount'
eventually "$events/events" 'any(.data[]; .functionRun.loyaltyRuleId == "'"$thanks"'" and .status == "delivered")'
sees "the event has fed the rule" '.data[-1].functionRun.status == "succeeded"' '.data[-1] | "\(.type) \(.status)"'
told=$(value '.data[-1].id')
call "$reader" GET "/api/loyalty/transaction_entries?loyaltyRuleId=$thanks"
sees "which has paid as much" '[.data[].amount] == [9]' '"+\(.data[0].amount)"'
call "$key" POST "$events/events/$told/redeliver"; sees "it is told again" '.status == "pending"' .status
eventually "$events/events/$told" '.status == "delivered"'
call "$reader" GET "/api/loyalty/transaction_entries?loyaltyRuleId=$thanks"; sees "and pays no second time" '(.data | length) == 1' '.data | length'
call "$key" POST "$events/rotate_key"; sees "its signing key is replaced" '.signingKey | startswith("whsec_")' '"whsec_…"'
call "$other" GET "$events"; refused "another organization's key reads it" 404 "Subscription not found"
call "$key" DELETE "$events"; sees "it is deleted" '.deletedAt != null' .deletedAt

title "The books"
if said=$(bin/laurel verify 2>>"$work/log"); then result yes "laurel verify finds every balance right" "$said"; else result no "laurel verify" "$said"; fi
kill "$server" && wait "$server" && result yes "the server stops when it is told to" "exit status 0" || result no "the server stops when it is told to" "exit status $?"
server=''

printf '\n%s: %d passed, %d failed\n' "$engine" "$passed" "$failed"
[ "$failed" = 0 ]
