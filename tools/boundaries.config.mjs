// The allowed imports between the rooms of src/ (ARCHITECTURE.md). A request runs routes → features → domain and db, never back.

const tests = '\\.test\\.ts$'
/** The endpoints of the dashboard that a feature has. */
const dashboard = '^src/features/.*/dashboard[a-z-]*\\.ts$'

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export default {
  forbidden: [
    rule('no-cycles', 'Two files that need each other are one file, or hide a third.', {}, { circular: true }),
    rule('resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    rule(
      'domain-is-pure',
      'The domain decides: no I/O, no clock, no packages, nothing from another room.',
      { path: '^src/domain/', pathNot: tests },
      { pathNot: '^src/domain/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'domain-takes-only-types-from-node',
      'Built-in modules do I/O or read the clock; their types do neither.',
      { path: '^src/domain/', pathNot: tests },
      { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'db-serves-everyone',
      'The database room knows the domain, the configuration and where files are kept, and nobody who calls it.',
      { path: '^src/db/', pathNot: tests },
      { path: '^src/', pathNot: '^src/(db|domain|config|lib)/' },
    ),
    rule(
      'lib-serves-everyone',
      'What every room may use knows no room but the domain.',
      { path: '^src/lib/', pathNot: tests },
      { path: '^src/', pathNot: '^src/(lib|domain)/' },
    ),
    rule(
      'http-knows-no-feature',
      'src/routes.ts lists the endpoints; http/ treats them alike.',
      { path: '^src/http/', pathNot: tests },
      { path: '^src/(features|pages)/|^src/routes\\.ts$' },
    ),
    rule(
      'pages-and-transport-know-the-envelope-only',
      'src/http/api/ says how everything is answered; src/http/frame.ts puts transport, API and pages together.',
      { path: '^src/http/(api|transport)/', pathNot: tests },
      { path: '^src/http/(pages/|[^/]+\\.ts$)' },
    ),
    rule(
      'answers-need-no-connection',
      'Fields, errors and envelopes are the same for every transport.',
      { path: '^src/http/api/', pathNot: tests },
      { path: '^src/http/transport/' },
    ),
    rule(
      'features-do-not-run-the-server',
      'A feature uses what http/ offers it, never the server, the listener or the table that lists it.',
      { path: '^src/features/', pathNot: tests },
      {
        path: '^src/routes\\.ts$|^src/http/(server|transport/server-certificate)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'only-routes-speak-http',
      'What happens, and its SQL, are the same when a command or a worker asks.',
      { path: '^src/features/', pathNot: [tests, '(/|-)(routes?|view)\\.ts$', dashboard] },
      { path: '^src/http/|/fastify/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'routes-are-listed-once',
      'Only the route table and other routes know a route.',
      { path: '^src/', pathNot: [tests, '^src/(routes|app/services)\\.ts$', '(/|-)routes?\\.ts$', dashboard] },
      { path: ['^src/features/.*(/|-)routes?\\.ts$', dashboard], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'queries-only-ask',
      'SQL and the rows it gives; the service above them puts the steps together.',
      { path: '^src/features/.*(/|-)queries\\.ts$' },
      { path: '^src/features/', pathNot: '(/|-)queries\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'providers-know-the-domain-only',
      'A provider translates between its port and the outside world; it reads no table and answers no request.',
      { path: '^src/providers/', pathNot: tests },
      { path: '^src/', pathNot: '^src/(providers|domain|lib)/|^src/config/config\\.ts$' },
    ),
    rule(
      'providers-come-by-their-port',
      'Only the composition root names a provider; everyone else takes the port.',
      { path: '^src/(http|features|pages)/', pathNot: tests },
      { path: '^src/providers/', pathNot: '/port\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'pages-do-not-query',
      'Pages show what a service gives them.',
      { path: '^src/pages/', pathNot: tests },
      { path: '^src/db/|(/|-)queries\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'browser-scripts-stand-alone',
      'A browser loads a script of a page by itself, with its parts from a folder.',
      { path: '^src/browser/', pathNot: tests },
      { pathNot: '^src/browser/[^/]+/' },
    ),
    rule(
      'only-browsers-run-browser-scripts',
      'Pages name them as assets.',
      { path: '^src/', pathNot: '^src/browser/' },
      { path: '^src/browser/' },
    ),
    rule(
      'one-composition-root',
      'The parts are put together in app/, which only the command line uses.',
      { path: '^src/(domain|db|http|features|providers|pages)/', pathNot: tests },
      { path: '^src/main\\.ts$|^src/(app|cli|bench)/' },
    ),
    rule(
      'pg-stays-in-its-room',
      'The driver is used in db/; others take its types at most.',
      { path: '^src/', pathNot: [tests, '^src/db/'] },
      { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'ships-without-tests',
      'What runs in production needs neither tests nor tools.',
      { path: '^src/', pathNot: tests },
      { path: `^(test|tools|bench)/|${tests}` },
    ),
    rule(
      'ships-with-its-packages',
      'What runs in production is a dependency, not a development one.',
      { path: '^src/', pathNot: tests },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
}
