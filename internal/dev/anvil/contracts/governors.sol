// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A governor with the events of version 5 of the common one. Anybody may propose, and vote for anybody else.
contract Governor {
    mapping(uint256 => bool) public isProposed;
    mapping(uint256 => mapping(address => bool)) public hasVoted;

    event ProposalCreated(uint256 proposalId, address proposer, string description);
    event VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason);
    event VoteCastWithParams(
        address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason, bytes params
    );

    function propose(uint256 proposalId) external {
        isProposed[proposalId] = true;
        emit ProposalCreated(proposalId, msg.sender, "");
    }

    function vote(address voter, uint256 proposalId, uint8 support) external {
        cast(voter, proposalId);
        emit VoteCast(voter, proposalId, support, 1, "because");
    }

    function voteWithParams(address voter, uint256 proposalId, uint8 support) external {
        cast(voter, proposalId);
        emit VoteCastWithParams(voter, proposalId, support, 1, "because", hex"0102");
    }

    function cast(address voter, uint256 proposalId) private {
        require(isProposed[proposalId], "unknown proposal");
        require(!hasVoted[proposalId][voter], "has voted");
        hasVoted[proposalId][voter] = true;
    }
}

/// A governor of the oldest kind, whose event has no topics of its own.
contract OldGovernor {
    event VoteCast(address voter, uint256 proposalId, bool support, uint256 votes);

    function vote(address voter, uint256 proposalId, bool support) external {
        emit VoteCast(voter, proposalId, support, 1);
    }
}
