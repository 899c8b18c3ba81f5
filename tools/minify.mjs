// Shortens the compiled scripts of a folder for the phones that load them. `tools/build.mjs` runs it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The project's own, as the build names it: this folder has other packages.
const { minifySync } = await import(new URL('../node_modules/vite/dist/node/index.js', import.meta.url))
const [folder] = process.argv.slice(2)
for (const name of readdirSync(folder).filter((one) => one.endsWith('.js'))) {
  const path = join(folder, name)
  const script = readFileSync(path, 'utf8').replace(/^export \{\};\n/m, '')
  // A script with parts is joined with them when it is served, by the names that all of them have now.
  if (/^import\s/m.test(script)) continue
  const { code, errors } = minifySync(name, script, { module: true })
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(({ message }) => message).join('; ')}`)
  writeFileSync(path, code)
}
