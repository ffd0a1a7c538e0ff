// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A pool of version 2. Its reserves are what anybody says, and anybody may create shares.
contract Pair {
    address public immutable token0;
    address public immutable token1;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    uint112 private reserve0;
    uint112 private reserve1;

    event Swap(
        address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out,
        address indexed to
    );

    constructor(address a, address b) {
        token0 = a;
        token1 = b;
    }

    function getReserves() external view returns (uint112, uint112, uint32) {
        return (reserve0, reserve1, uint32(block.timestamp));
    }

    function set(uint112 a, uint112 b) external {
        reserve0 = a;
        reserve1 = b;
    }

    /// Anybody may say what was swapped.
    function swap(uint256 in0, uint256 in1, uint256 out0, uint256 out1) external {
        emit Swap(msg.sender, in0, in1, out0, out1, msg.sender);
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
    }
}

/// A pool of version 3, whose price is what anybody says.
contract RangedPool {
    address public immutable token0;
    address public immutable token1;
    uint24 public immutable fee;
    address public immutable factory;
    uint160 private root;
    int24 private tick;

    event Swap(
        address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96,
        uint128 liquidity, int24 tick
    );

    constructor(address a, address b, uint24 fee_, address factory_) {
        token0 = a;
        token1 = b;
        fee = fee_;
        factory = factory_;
    }

    function set(uint160 root_, int24 tick_) external {
        root = root_;
        tick = tick_;
    }

    /// Anybody may say what was swapped.
    function swap(int256 amount0, int256 amount1) external {
        emit Swap(msg.sender, msg.sender, amount0, amount1, root, 1, tick);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (root, tick, 1, 1, 1, 0, true);
    }
}

/// Holds positions in pools of version 3 as tokens of a collection. Anybody may create one.
contract Positions {
    struct Position {
        address token0;
        address token1;
        uint24 fee;
        int24 lower;
        int24 upper;
        uint128 liquidity;
    }

    address public immutable factory;
    Position[] private list;
    mapping(address => uint256[]) private owned;

    constructor(address factory_) {
        factory = factory_;
    }

    function balanceOf(address owner) external view returns (uint256) {
        return owned[owner].length;
    }

    function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256) {
        return owned[owner][index];
    }

    function positions(uint256 id)
        external
        view
        returns (
            uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128
        )
    {
        Position memory p = list[id];
        return (7, address(this), p.token0, p.token1, p.fee, p.lower, p.upper, p.liquidity, 11, 12, 13, 14);
    }

    function mint(address to, RangedPool pool, int24 lower, int24 upper, uint128 liquidity) external {
        owned[to].push(list.length);
        list.push(Position(pool.token0(), pool.token1(), pool.fee(), lower, upper, liquidity));
    }
}

/// Swaps in two pools in one transaction: what comes out of the first goes into the second.
contract Router {
    function hop(Pair first, uint256 in0, uint256 through, RangedPool second, int256 out1) external {
        first.swap(in0, 0, 0, through);
        second.swap(int256(through), -out1);
    }

    /// Swaps there and back again in one pool.
    function loop(Pair pool, uint256 in0, uint256 through) external {
        pool.swap(in0, 0, 0, through);
        pool.swap(0, through, in0 - 1, 0);
    }
}
