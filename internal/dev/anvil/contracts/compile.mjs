// Compiles the contracts of this folder to NAME.json, which has the bytecode of each. Run it after a change of a source:
//   npm install --no-save --prefix /tmp/solc solc@0.8.37 && NODE_PATH=/tmp/solc/node_modules node compile.mjs
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
const solc = createRequire(import.meta.url)('solc');
const here = new URL('.', import.meta.url);
for (const file of readdirSync(here).filter((f) => f.endsWith('.sol'))) {
	const input = {
		language: 'Solidity', sources: {[file]: {content: readFileSync(new URL(file, here), 'utf8')}},
		settings: {
			optimizer: {enabled: true, runs: 200}, evmVersion: 'cancun', metadata: {bytecodeHash: 'none', appendCBOR: false},
			outputSelection: {'*': {'*': ['evm.bytecode.object']}},
		},
	};
	const output = JSON.parse(solc.compile(JSON.stringify(input)));
	for (const e of output.errors ?? []) console.error(e.formattedMessage);
	const out = {compiler: solc.version()};
	for (const [name, c] of Object.entries(output.contracts[file])) out[name] = '0x' + c.evm.bytecode.object;
	writeFileSync(new URL(file.replace('.sol', '.json'), here), JSON.stringify(out, null, '\t') + '\n');
}
