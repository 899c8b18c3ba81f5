// Installs the package from its tarball outside of the tree, as a user would, and runs it: first with the Node and the
// PostgreSQL that it brings, then without both, on the database of DATABASE_URL. Argument: an empty folder.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const [folder] = process.argv.slice(2)
const { DATABASE_URL, ...others } = process.env
// Remove CI's own NUQTA_ variables: they are not settings.
const environment = Object.fromEntries(Object.entries(others).filter(([name]) => !name.startsWith('NUQTA_')))
if (folder === undefined || DATABASE_URL === undefined) throw new Error('usage: DATABASE_URL=… package.mjs FOLDER')
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)

const purchase = {
  phone_number: '0512345678',
  total_price: 199.5,
  products: [{ product_name: 'Coffee beans', product_price: 199.5, quantity: 1 }],
  order_number: 'A-1',
}

/** Without the checkout's own Node, so that the package has to find one. */
const path = (environment.PATH ?? '')
  .split(delimiter)
  .filter((place) => !place.startsWith(root))
  .join(delimiter)
/** The path with the Node that runs this. */
const withNode = `${join(process.execPath, '..')}${delimiter}${path}`

const tarball = pack()
await tryInstalled('as it is', { omit: '--omit=dev', env: { ...environment, PATH: path } })
const secret = { NUQTA_SECRET_KEY: 'a secret key for this check, of 32 and more' }
await tryInstalled('with a Node and a PostgreSQL of the system', {
  omit: '--omit=optional',
  env: { ...environment, ...secret, PATH: withNode, DATABASE_URL },
})
refusedWithoutDatabase(join(folder, 'without-optional'), { ...environment, PATH: withNode })

function refusedWithoutDatabase(cwd, env) {
  const command = join(cwd, 'node_modules/.bin/nuqta')
  const settings = ['serve', '--port', '0', '--data-dir', 'empty']
  const { status, stderr } = spawnSync(command, settings, { cwd, env, encoding: 'utf8', timeout: 60_000 })
  if (status !== 1 || !/set DATABASE_URL/.test(stderr)) throw new Error(`without a database: ${status} ${stderr}`)
  console.log('without a PostgreSQL: it says what to do')
}

function pack() {
  const printed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  })
  return join(folder, printed.trim().split('\n').at(-1))
}

async function tryInstalled(name, { omit, env }) {
  const place = join(folder, omit.replace('--omit=', 'without-'))
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{}')
  const settings = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', omit]
  execFileSync('npm', ['install', ...settings, tarball], { cwd: place, env, stdio: ['ignore', 'ignore', 'inherit'] })
  for (const file of ['THIRD-PARTY-LICENSES.md', 'sbom.cdx.json']) readFileSync(join(place, 'node_modules/nuqta', file))
  const kilobytes = execFileSync('du', ['-sk', join(place, 'node_modules')], { encoding: 'utf8' })
  const service = await start(place, env)
  try {
    const client = parseEnv(readFileSync(join(place, 'data/sandbox.env'), 'utf8'))
    const { origin } = new URL(client.NUQTA_BASE_URL)
    expect(await send(client, 'GET', `${origin}/readyz`), 200)
    const { data } = expect(await send(client, 'POST', `${client.NUQTA_BASE_URL}/v1/orders/earning`, purchase), 200)
    if (data.total_points !== 1995) throw new Error(`the earning gave ${data.total_points} points`)
  } finally {
    service.kill('SIGTERM')
    await once(service, 'close')
  }
  if (service.exitCode !== 0) throw new Error(`the service ended with ${service.exitCode ?? service.signalCode}`)
  console.log(`${name}: installed in ${Math.round(Number.parseInt(kilobytes, 10) / 1024)} MB, ready, an earning, ended`)
}

/** Ends when the service says that it is ready. npx starts the command by its name. */
async function start(cwd, env) {
  const where = execFileSync('npx', ['--no-install', '-c', 'command -v nuqta'], { cwd, env, encoding: 'utf8' }).trim()
  const service = spawn(where, ['serve', '--port', '0'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let banner = ''
  for await (const chunk of service.stdout.iterator({ destroyOnReturn: false })) {
    banner += chunk
    if (banner.includes('Nuqta is ready')) return listenNoMore(service)
  }
  throw new Error('the service ended before it was ready')
}

/** Unread output would keep the process open. */
function listenNoMore(service) {
  service.stdout.resume()
  return service
}

function send(client, method, url, body) {
  const headers = { 'x-api-key': client.NUQTA_PRIVATE_KEY, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ca: readFileSync(client.NUQTA_CA) }, async (answer) => {
      const chunks = await answer.toArray()
      resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() })
    })
    sent.on('error', reject).end(body && JSON.stringify(body))
  })
}

function expect({ status, text }, expected) {
  if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text}`)
  return JSON.parse(text)
}
