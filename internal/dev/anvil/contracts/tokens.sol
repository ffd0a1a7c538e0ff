// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A fungible token (ERC-20). Anybody may create tokens.
contract Coin {
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(uint8 decimals_) {
        decimals = decimals_;
    }

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// A fungible token that does not say how many decimals it has.
contract BareCoin {
    mapping(address => uint256) public balanceOf;
}

/// A collection (ERC-721). Anybody may create the next token.
contract Items {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) private counts;
    uint256 private last;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function balanceOf(address owner) external view returns (uint256) {
        require(owner != address(0));
        return counts[owner];
    }

    function mint(address to, uint256 count) external {
        for (uint256 i = 0; i < count; i++) {
            ownerOf[++last] = to;
            emit Transfer(address(0), to, last);
        }
        counts[to] += count;
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from);
        ownerOf[id] = to;
        counts[from]--;
        counts[to]++;
        emit Transfer(from, to, id);
    }
}

/// A contract with several tokens (ERC-1155). Anybody may create some.
contract Pieces {
    mapping(address => mapping(uint256 => uint256)) public balanceOf;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26;
    }

    function mint(address to, uint256 id, uint256 value) external {
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
    }
}

/// A contract that says yes to every question.
contract Yes {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(true);
    }
}

/// Makes several calls in one, as the contract that stands at one address on many networks does.
contract Multicall {
    struct Call {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
            require(results[i].success || calls[i].allowFailure);
        }
    }

    function getEthBalance(address account) external view returns (uint256) {
        return account.balance;
    }
}
