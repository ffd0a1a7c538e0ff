// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A contract wallet with one owner (EIP-1271).
contract OwnedWallet {
    address private immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        address signer = ecrecover(hash, v, r, s);
        return signer != address(0) && signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Returns what it is called with, which begins with the bytes that a valid answer begins with.
contract EchoWallet {
    fallback(bytes calldata input) external returns (bytes memory) {
        return input;
    }
}

/// Fails with the words of a node that is rate limited.
contract RevertingWallet {
    fallback() external {
        revert("rate limit: too many requests, block range exceeded");
    }
}

/// Uses up all gas.
contract LoopingWallet {
    uint256 private n;

    fallback() external {
        while (true) n++;
    }
}

/// Says true, which is no answer of EIP-1271.
contract TrueWallet {
    fallback(bytes calldata) external returns (bytes memory) {
        return abi.encode(true);
    }
}
