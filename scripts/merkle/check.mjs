// Has OpenZeppelin's package check the root and every proof of a token claim on a running server.
import assert from 'node:assert/strict'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'

const address = process.env.LAUREL_ADDRESS
const key = JSON.parse(process.env.LAUREL_PROGRAM).websiteApiKey
const encoding = ['address', 'uint256']

async function call(method, path, body) {
  const response = await fetch(address + path, {
    method,
    headers: { 'X-API-KEY': key, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

async function upload(content) {
  const file = { fileName: 'list.csv', fileSize: content.length, filePath: 'tokenClaims' }
  const { signedUrl, url } = await call('POST', '/api/assets', file)
  const sent = await fetch(new URL(signedUrl, address), { method: 'PUT', body: content })
  assert.ok(sent.ok, await sent.text())
  return url
}

async function imported(id) {
  for (let i = 0; i < 300; i++) {
    const claim = await call('GET', `/api/token_claims/${id}`)
    if (claim.dataJob.status === 'complete') return claim
    assert.notEqual(claim.dataJob.status, 'failed', claim.dataJob.message)
    await new Promise((done) => setTimeout(done, 200))
  }
  assert.fail('the import never ends')
}

const token = await call('POST', '/api/contracts', {
  name: 'Token', address: '0x00000000000000000000000000000000000c0113', chainId: 1, type: 'erc20',
})
const wallet = (n) => '0x' + (BigInt(n) * 0x9e3779b97f4a7c15f39cc0605cedc835n % (1n << 160n)).toString(16).padStart(40, '0')
for (const n of [1, 2, 3, 100, 300]) {
  const values = Array.from({ length: n }, (_, i) => [wallet(i + 1), BigInt(i + 1) * 10n ** 6n + BigInt(i)])
  const decimal = (units) => `${units / 10n ** 6n}.${String(units % 10n ** 6n).padStart(6, '0')}`
  const csvUrl = await upload(values.map(([who, units]) => `${who},${decimal(units)}\n`).join(''))
  const made = await call('POST', '/api/token_claims', {
    name: `${n} wallets`, contractId: token.id, erc20Decimals: 6, csvUrl, isDraft: false,
  })
  const claim = await imported(made.id)
  const tree = StandardMerkleTree.of(values.map(([who, units]) => [who, String(units)]), encoding)
  assert.equal(claim.merkleRoot, tree.root)
  for (const [who, units] of values) {
    const { proof } = await call('GET', `/api/token_claims/${made.id}/proof?walletAddress=${who}`)
    assert.deepEqual(proof, tree.getProof([who, String(units)]))
    assert.ok(StandardMerkleTree.verify(claim.merkleRoot, encoding, [who, String(units)], proof))
    assert.ok(!StandardMerkleTree.verify(claim.merkleRoot, encoding, [who, String(units + 1n)], proof))
  }
}
console.log('OpenZeppelin verifies the proofs of every wallet, and of no other amount')
