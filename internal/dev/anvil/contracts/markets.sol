// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A market. Anybody may say what was sold on it.
contract Market {
    event Sold(
        address indexed seller, address indexed buyer, address collection, uint256 tokenId, address currency, uint256 price,
        address royaltyTo, uint256 royalty
    );

    function sell(
        address seller, address buyer, address collection, uint256 tokenId, address currency, uint256 price, address royaltyTo,
        uint256 royalty
    ) external {
        emit Sold(seller, buyer, collection, tokenId, currency, price, royaltyTo, royalty);
    }
}

/// A market whose event has neither currencies nor royalties.
contract PlainMarket {
    event Sold(address seller, address buyer, address collection, uint256 tokenId, uint256 price);

    function sell(address seller, address buyer, address collection, uint256 tokenId, uint256 price) external {
        emit Sold(seller, buyer, collection, tokenId, price);
    }
}

/// A contract with several tokens (ERC-1155), which are made and moved in batches of two. Anybody may move any.
contract Batches {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function move(address from, address to, uint256 one, uint256 count, uint256 two, uint256 countOfTwo) external {
        uint256[] memory ids = new uint256[](2);
        uint256[] memory values = new uint256[](2);
        (ids[0], ids[1], values[0], values[1]) = (one, two, count, countOfTwo);
        for (uint256 i = 0; i < 2; i++) {
            if (from != address(0)) balanceOf[from][ids[i]] -= values[i];
            if (to != address(0)) balanceOf[to][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }
}

/// A market on which tokens are offered. Offers have numbers. Anybody may say what was offered.
contract Bazaar {
    event Listed(uint256 indexed listing, address indexed seller, address nft, uint256 tokenId, uint256 endsAt);
    event Cancelled(uint256 indexed listing);
    event Bought(uint256 indexed listing, address buyer);

    function list(uint256 listing, address seller, address nft, uint256 tokenId, uint256 endsAt) external {
        emit Listed(listing, seller, nft, tokenId, endsAt);
    }

    function cancel(uint256 listing) external {
        emit Cancelled(listing);
    }

    function buy(uint256 listing, address buyer) external {
        emit Bought(listing, buyer);
    }
}

/// A market on which several tokens with one id are offered. Offers have no numbers.
contract Stalls {
    event Offered(address seller, address nft, uint256 id, uint256 count);
    event Taken(address seller, address nft, uint256 id, uint256 count);
    event Closed(address nft, uint256 id);

    function offer(address seller, address nft, uint256 id, uint256 count) external {
        emit Offered(seller, nft, id, count);
    }

    function take(address seller, address nft, uint256 id, uint256 count) external {
        emit Taken(seller, nft, id, count);
    }

    function close(address nft, uint256 id) external {
        emit Closed(nft, id);
    }
}
