package audit_test

const (
	openBid  = "status = 'accepted' AND auction_id = (SELECT id FROM auctions WHERE name = 'Open english')"
	wonBid   = "status = 'fulfilled' AND auction_id = (SELECT id FROM auctions WHERE name = 'Ended english')"
	openSeat = "bid_id IS NOT NULL AND auction_id = $id"
)

var brokenCommerce = []broken{
	// holds
	{"UPDATE loyalty_holds SET amount = amount + 1 WHERE id = $id", "hold", "loyalty_holds", "status = 'held'", ": its transaction did not take its amount"},
	{"UPDATE loyalty_holds SET loyalty_transaction_id = '" + forged + "' WHERE id = $id", "hold", "loyalty_holds", "status = 'held'", ": its transaction did not take its amount"},
	{"UPDATE loyalty_holds SET status = 'released' WHERE id = $id", "hold", "loyalty_holds", "status = 'held'", ": it did not give back, as it ended, what it does not keep"},
	{"UPDATE loyalty_holds SET status = 'captured', captured_amount = amount WHERE id = $id", "hold", "loyalty_holds", "status = 'released' AND amount = 6000000", ": it did not give back, as it ended, what it does not keep"},
	{"UPDATE loyalty_holds SET captured_amount = captured_amount + 1 WHERE id = $id", "hold", "loyalty_holds", "status = 'captured'", ": it did not give back, as it ended, what it does not keep"},
	{"UPDATE loyalty_holds SET captured_amount = 0 WHERE id = $id", "hold", "loyalty_holds", "status = 'captured'", ": its status and what was captured do not fit"},
	{"UPDATE loyalty_holds SET status = 'held' WHERE id = $id", "hold", "loyalty_holds", "status = 'expired'", ": its status and what was captured do not fit"},
	{"UPDATE loyalty_holds SET updated_at = updated_at + 1 WHERE id = $id", "hold", "loyalty_holds", "status = 'expired'", ": it did not give back, as it ended, what it does not keep"},
	{"UPDATE loyalty_holds SET parts = '[]' WHERE id = $id", "hold", "loyalty_holds", "status = 'held'", ": what accounts paid for it does not sum to its amount"},
	{"UPDATE loyalty_holds SET parts = (SELECT k.parts FROM kept_loyalty_holds k WHERE k.status = 'expired') WHERE id = $id", "hold", "loyalty_holds", "status = 'captured'", ": other accounts paid for it than it says"},
	{"UPDATE loyalty_holds SET parts = 'none' WHERE id = $id", "hold", "loyalty_holds", "status = 'held'", ": what accounts paid for it does not sum to its amount"},
	{"DELETE FROM loyalty_holds WHERE status = 'expired'", "transaction", "loyalty_transactions", "type = 'order' AND created_by_id IS NULL", ": it gives points back for a hold that did not expire then"},
	{"UPDATE loyalty_transaction_entries SET loyalty_account_id = (SELECT a.id FROM loyalty_accounts a JOIN users u ON u.id = a.user_id WHERE u.wallet_address = '0x0000000000000000000000000000000000000001')" +
		" WHERE direction = 'credit' AND loyalty_transaction_id IN (SELECT t.id FROM loyalty_transactions t JOIN loyalty_holds h ON h.updated_at = t.created_at AND h.amount = 15000000) AND metadata LIKE '%loyaltyHoldId%'",
		"hold", "loyalty_holds", "amount = 15000000", ": an account got back more than it paid"},

	// auctions
	{"UPDATE auction_bidders SET amount = amount + 1 WHERE " + openSeat, "auction", "auctions", "name = 'Open sealed'", ": what it holds of user … is not the bid that it names"},
	{"UPDATE auction_bidders SET bid_id = NULL, amount = 0, parts = '[]' WHERE " + openSeat, "auction", "auctions", "name = 'Open sealed'", ": user … has not paid what is held"},
	{"UPDATE auction_bids SET status = 'rejected' WHERE auction_id = $id", "auction", "auctions", "name = 'Open sealed'", ": user … has a bid that is not held before the end"},
	{"UPDATE auction_bids SET amount = 25000000 WHERE auction_id = $id AND amount = 20000000", "auction", "auctions", "name = 'Ended second_price'", ": user … has not paid the price of what it won"},
	{"UPDATE auction_bidders SET parts = '[]' WHERE " + openSeat, "auction", "auctions", "name = 'Open sealed'", ", user … what accounts paid for it does not sum to its amount"},
	{"DELETE FROM auction_bidders WHERE bid_id = $id", "bid", "auction_bids", openBid, ": it is accepted, and nothing is held for it"},
	{"UPDATE auction_bids SET status = 'submitted' WHERE id = $id", "bid", "auction_bids", openBid, ": it has no such status"},
	{"UPDATE auctions SET bids = bids + 1 WHERE id = $id", "auction", "auctions", "name = 'Open sealed'", ": it has not as many bids or items as it says"},
	{"UPDATE auctions SET items = items + 1 WHERE id = $id", "auction", "auctions", "name = 'Ended english'", ": it has not as many bids or items as it says"},
	{"UPDATE auctions SET best_amount = best_amount + 1 WHERE id = $id", "auction", "auctions", "name = 'Open english'", ": its best bid is not the one that it holds"},
	{"UPDATE auctions SET best_user_id = NULL WHERE id = $id", "auction", "auctions", "name = 'Open english'", ": its best bid is not the one that it holds"},
	{"UPDATE auctions SET due_at = NULL WHERE id = $id", "auction", "auctions", "name = 'Open english'", ": nobody will end it"},
	{"UPDATE auctions SET items_reserved = FALSE WHERE id = $id", "auction", "auctions", "name = 'Open english'", ": the stock of its items is not reserved"},
	{"UPDATE auctions SET items_reserved = TRUE WHERE id = $id", "auction", "auctions", "name = 'Ended english'", ": it has ended and reserves its items all the same"},
	{"UPDATE auctions SET status = 'cancelled', due_at = NULL WHERE id = $id", "auction", "auctions", "name = 'Open sealed'", ": it is over, and nobody will give back what it holds"},
	{"UPDATE auctions SET status = 'over' WHERE id = $id", "auction", "auctions", "name = 'Cancelled'", ": it has no such status"},
	{"UPDATE auction_bids SET auction_item_id = NULL WHERE id = $id", "bid", "auction_bids", wonBid, ": it has won what it does not win"},
	{"UPDATE auction_bids SET status = 'fulfilled' WHERE id = $id", "bid", "auction_bids", openBid, ": it has won what it does not win"},
	{"UPDATE auction_bids SET status = 'rejected' WHERE status = 'fulfilled' AND auction_id = $id", "auction", "auctions", "name = 'Ended english'", ": user … has not paid what is held"},
	{"DELETE FROM minting_mints WHERE auction_id = (SELECT auction_id FROM auction_bids WHERE id = $id)", "bid", "auction_bids", wonBid, ": there is not one mint of what it won"},
	{"UPDATE auction_bids SET status = 'rejected' WHERE status = 'fulfilled'", "mint", "minting_mints", "auction_id = (SELECT id FROM auctions WHERE name = 'Ended english')", ": nobody won it"},
	{"UPDATE auction_bids SET amount = amount + 1 WHERE status = 'fulfilled' AND auction_id = $id", "auction", "auctions", "name = 'Ended english'", ": user … has not paid the price of what it won"},
	{"UPDATE loyalty_transaction_entries SET metadata = '{}' WHERE type = 'auction_bid'", "", "", "", ": it moves points for a bid that is not there"},
	{"UPDATE loyalty_transaction_entries SET direction = 'credit' WHERE type = 'auction_bid' AND direction = 'debit' AND user_id IS NOT NULL", "", "", "", ": it got back more than it paid in auction "},

	{"UPDATE loyalty_accounts SET concealed_amount = concealed_amount + 1 WHERE id = $id", "account", "loyalty_accounts", "concealed_amount > 0", ": what is concealed of it is not what hidden bids hold"},
	{"DELETE FROM bid_entries WHERE auction_id = (SELECT id FROM auctions WHERE name = 'Open sealed')", "", "", "", ": what is concealed of it is not what hidden bids hold"},
	{"DELETE FROM bid_entries WHERE auction_id = (SELECT id FROM auctions WHERE name = 'Open english')", "", "", "", ": it is for a bid in an open auction, which does not remember it"},
	{"UPDATE bid_entries SET concealed = NOT concealed WHERE auction_id = $id", "auction", "auctions", "name = 'Open sealed'", ": entries of its bids are not as hidden as it says"},
	{"UPDATE auctions SET hide_bids = TRUE WHERE id = $id", "auction", "auctions", "name = 'Open english'", ": entries of its bids are not as hidden as it says"},
	{"UPDATE bid_entries SET amount = amount + 1 WHERE auction_id = $id", "auction", "auctions", "name = 'Open english'", ": it remembers an entry as it is not"},
	{"UPDATE bid_entries SET entry_id = auction_id WHERE auction_id = $id AND user_id IS NULL AND amount > 0 AND created_at = (SELECT MAX(x.created_at) FROM bid_entries x WHERE x.auction_id = $id)", "auction", "auctions", "name = 'Open english'", ": it remembers an entry that is not there"},

	// mints
	{"UPDATE minting_mints SET price = price + 1 WHERE id = $id", "mint", "minting_mints", "status = 'minted' AND auction_id IS NULL AND corrected_at IS NULL", ": its price was not taken as it says"},
	{"UPDATE minting_mints SET status = 'minted' WHERE id = $id", "mint", "minting_mints", "status = 'failed'", ": what was paid for it went back"},
	{"UPDATE minting_mints SET status = 'failed' WHERE id = $id", "mint", "minting_mints", "status = 'generatingSignature'", ": what was paid for it did not go back"},
	{"UPDATE minting_mints SET status = 'failed' WHERE id = $id", "mint", "minting_mints", "auction_id = (SELECT id FROM auctions WHERE name = 'Ended english')", ": what was paid for it did not go back"},
	{"UPDATE minting_mints SET due_at = NULL WHERE id = $id", "mint", "minting_mints", "status = 'generatingSignature'", ": it is under way, and nobody will carry it on"},
	{"UPDATE minting_mints SET status = 'lost' WHERE id = $id", "mint", "minting_mints", "status = 'generatingSignature'", ": it has no such status"},
	{"UPDATE minting_mints SET paid = '[]' WHERE id = $id", "mint", "minting_mints", "status = 'generatingSignature'", ": what accounts paid for it does not sum to its amount"},
	{"UPDATE minting_mints SET paid = '[]' WHERE id = $id", "mint", "minting_mints", "auction_id = (SELECT id FROM auctions WHERE name = 'Ended english')", ": what accounts paid for it does not sum to its amount"},
	{"UPDATE minting_mints SET paid = (SELECT MAX(k.paid) FROM kept_minting_mints k WHERE k.status = 'generatingSignature') WHERE id = $id", "mint", "minting_mints", "status = 'minted' AND auction_id IS NULL AND corrected_at IS NULL", ": other accounts paid for it than it says"},
	{"UPDATE loyalty_transaction_entries SET metadata = '{}' WHERE type = 'direct_mint'", "", "", "", ": it moves points for a mint that is not there"},
	{"UPDATE minting_mints SET unpaid_amount = unpaid_amount - 1 WHERE id = $id", "mint", "minting_mints", "corrected_at IS NOT NULL", ": its price was not taken as it says"},
	{"UPDATE minting_mints SET unpaid_amount = unpaid_amount + 1 WHERE id = $id", "mint", "minting_mints", "corrected_at IS NOT NULL", ": what accounts paid for it does not sum to its amount"},
	{"UPDATE minting_mints SET corrected_at = NULL WHERE id = $id", "mint", "minting_mints", "corrected_at IS NOT NULL", ": what is unpaid of it cannot be"},
	{"UPDATE minting_mints SET corrected_at = NULL, unpaid_amount = 0, unpaid_quantity = 0 WHERE id = $id", "mint", "minting_mints", "corrected_at IS NOT NULL", ": its price was not taken as it says"},
	{"UPDATE minting_mints SET corrected_at = created_at WHERE id = $id", "mint", "minting_mints", "status = 'minted' AND auction_id IS NULL AND corrected_at IS NULL", ": its price was not taken as it says"},
	{"UPDATE minting_mints SET corrected_at = created_at WHERE id = $id", "mint", "minting_mints", "status = 'failed'", ": it was corrected and is not minted"},
	{"UPDATE minting_mints SET unpaid_quantity = 20 WHERE id = $id", "mint", "minting_mints", "corrected_at IS NOT NULL", ": what is unpaid of it cannot be"},
	{"UPDATE minting_mints SET unpaid_quantity = 0", "asset", "minting_assets", "name = 'Pass'", ": what is minted is not what its mints say"},

	// stock
	{"UPDATE minting_assets SET quantity_minted = quantity_minted + 1 WHERE id = $id", "asset", "minting_assets", "name = 'Listed'", ": what is minted is not what its mints say"},
	{"UPDATE minting_assets SET quantity_reserved = quantity_reserved + 1 WHERE id = $id", "asset", "minting_assets", "name = 'Pass'", ": what is reserved is not what mints and auctions say"},
	{"UPDATE minting_assets SET quantity_reserved = quantity_reserved - 1 WHERE id = $id", "asset", "minting_assets", "name = 'Prize'", ": what is reserved is not what mints and auctions say"},
	{"UPDATE minting_assets SET quantity = 1 WHERE id = $id", "asset", "minting_assets", "name = 'Listed'", ": more is minted or reserved than there is"},
	{"UPDATE minting_counts SET quantity = quantity + 1 WHERE user_id = $id", "user", "users", "wallet_address = '0x00000000000000000000000000000000000a11ce'", ": what is counted of … is not what its mints say"},
	{"DELETE FROM minting_counts WHERE user_id = $id", "user", "users", "wallet_address = '0x00000000000000000000000000000000000a11ce'", ": nothing counts what it has of "},
	{"UPDATE minting_allowlist SET quantity_minted = 1", "allowlist of asset", "minting_assets", "name = 'Listed'", ", wallet 0x00000000000000000000000000000000000a11ce: what is used is not what its mints say"},
	{"UPDATE minting_allowlist SET quantity_reserved = 1", "allowlist of asset", "minting_assets", "name = 'Listed'", ", wallet 0x00000000000000000000000000000000000a11ce: what is used is not what its mints say"},
	{"DELETE FROM minting_allowlist", "mint", "minting_mints", "allowlisted", ": its wallet is not on the allowlist"},

	// token claims
	{"UPDATE token_claims SET merkle_root = '0x00'", "token claim", "token_claims", "TRUE", ": its root is not that of its list"},
	{"UPDATE token_claims SET merkle_root = NULL", "token claim", "token_claims", "TRUE", ": its root is not that of its list"},
	{"UPDATE token_claims SET current_import_id = NULL", "token claim", "token_claims", "TRUE", ": it has the root of a list that it does not have"},
	{"UPDATE token_claims SET current_import_id = NULL", "token claim", "token_claims", "TRUE", ": wallet 0x0000000000000000000000000000000000000007 has claimed by a list that does not count"},
	{"UPDATE token_claims SET allocated_wallets = 199", "token claim", "token_claims", "TRUE", ": what it allocates is not what its list says"},
	{"UPDATE token_claims SET allocated_units = '1'", "token claim", "token_claims", "TRUE", ": what it allocates is not what its list says"},
	{"UPDATE token_claims SET claimed_wallets = 0", "token claim", "token_claims", "TRUE", ": what was claimed is not what its list says"},
	{"UPDATE token_claims SET claimed_units = '1'", "token claim", "token_claims", "TRUE", ": what was claimed is not what its list says"},
	{"UPDATE token_claim_allocations SET units = '1' WHERE claimed_at IS NOT NULL", "token claim", "token_claims", "TRUE", ": its root is not that of its list"},
	{"UPDATE token_claim_allocations SET units = '-1' WHERE claimed_at IS NULL", "token claim", "token_claims", "TRUE", ": wallet 0x0000000000000000000000000000000000000001 has no allocation that a contract could know"},
	{"UPDATE token_claim_allocations SET claimed_at = 1 WHERE claimed_at IS NULL AND units LIKE '8%'", "token claim", "token_claims", "TRUE", ": wallet 0x0000000000000000000000000000000000000008 has claimed by no transaction, or not by one"},
	{"UPDATE token_claim_allocations SET node = node + 1 WHERE claimed_at IS NOT NULL", "token claim", "token_claims", "TRUE", ": node … is not that of the leaf … that names it"},
	{"DELETE FROM token_claim_allocations WHERE claimed_at IS NOT NULL", "token claim", "token_claims", "TRUE", ": what was claimed is not what its list says"},
	{"DELETE FROM token_claim_blocks WHERE head > 0", "token claim", "token_claims", "TRUE", ": blocks of its tree are missing, or there are too many"},
	{"UPDATE token_claim_blocks SET nodes = (SELECT k.nodes FROM kept_token_claim_blocks k WHERE k.head = 0) WHERE head > 0", "token claim", "token_claims", "TRUE", ": block … of its tree is not what follows from its list"},
}
