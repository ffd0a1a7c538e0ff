// Writes the trees that internal/commerce/merkle is compared with: node scripts/merkle/vectors.mjs
// >internal/commerce/merkle/testdata/vectors.json
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'

const ether = 10n ** 18n
const wallet = (n) => '0x' + (BigInt(n) * 0x9e3779b97f4a7c15f39cc0605cedc835n % (1n << 160n)).toString(16).padStart(40, '0')
const vectors = [1, 2, 3, 4, 5, 7, 8, 9, 33].map((n) => {
  const values = Array.from({ length: n }, (_, i) => [wallet(i + 1), String(BigInt(i + 1) * ether / 4n)])
  if (n === 5) values[4][1] = String((1n << 256n) - 1n)
  const tree = StandardMerkleTree.of(values, ['address', 'uint256'])
  const dump = tree.dump()
  return {
    root: tree.root,
    tree: dump.tree,
    values: dump.values.map((v, i) => ({ ...v, proof: tree.getProof(i) })),
  }
})
console.log(JSON.stringify(vectors))
