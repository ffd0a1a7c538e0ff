-- +goose Up
-- Which server reads how contracts of a network are used. A reader that has stopped waits for the operator.
CREATE TABLE network_usage (
    chain_id BIGINT PRIMARY KEY,
    name TEXT NOT NULL,
    stopped_reason TEXT NOT NULL, -- empty: it has not stopped
    resumed BOOLEAN NOT NULL, -- by the operator: what was read is dropped, and read again
    lease_owner UUID,
    lease_until BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);

-- The contracts whose use runs of rules have asked for: who has deployed each, and how far its blocks are read.
CREATE TABLE contract_usage (
    chain_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    wanted_at BIGINT NOT NULL, -- when a run asked last
    looked_block BIGINT NOT NULL, -- at which block its code was looked for; -1: not yet
    fault TEXT NOT NULL, -- why nobody knows yet who has deployed it; empty: it is known, or was not looked for
    deployer TEXT NOT NULL, -- empty: unknown, or nobody
    deployed_block BIGINT, -- NULL: unknown, or there is no contract
    deployed_at BIGINT,
    next_block BIGINT, -- all blocks before are read, from that of the deployment on
    last_hash TEXT NOT NULL, -- of the block before next_block; empty: none is read
    PRIMARY KEY (chain_id, address)
);

-- The transactions to these contracts, summed by block and sender.
CREATE TABLE contract_calls (
    chain_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    block_time BIGINT NOT NULL,
    block_number BIGINT NOT NULL,
    sender TEXT NOT NULL,
    succeeded BIGINT NOT NULL, -- transactions
    fee_high BIGINT NOT NULL, -- what all transactions have paid for gas: 1000000000 x fee_high + fee_low
    fee_low BIGINT NOT NULL,
    PRIMARY KEY (chain_id, address, block_time, block_number, sender)
);

-- +goose Down
DROP TABLE contract_calls;
DROP TABLE contract_usage;
DROP TABLE network_usage;
