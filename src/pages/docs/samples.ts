import type { Endpoint } from './description.ts'
import { literal } from './literals.ts'

/** A request of an endpoint in a language, with nothing but its standard library. */
export interface Sample {
  readonly language: 'curl' | 'TypeScript' | 'PHP' | 'Python'
  readonly code: string
}

/** What a sample reads from the environment: the values of `sandbox.env`, and the uuid that the path is about. */
const variables: Readonly<Record<string, string>> = {
  publicKey: 'NUQTA_PUBLIC_KEY',
  orderUuid: 'ORDER_UUID',
  uuid: 'WEBHOOK_UUID',
}

interface Request {
  readonly method: string
  /** The parts of the path: texts at even places, names of variables at odd ones. */
  readonly parts: readonly string[]
  readonly keyed: boolean
  /** Undefined: the request has no body. */
  readonly body: unknown
}

/** Gives the samples of an endpoint, with the example of its description. A test runs each. */
export function samplesOf({ method, path, operation }: Endpoint): Sample[] {
  const parts = path.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? (variables[part] ?? part) : part))
  const body = operation.requestBody?.content['application/json'].example
  const request = { method, parts, keyed: operation.security.length > 0, body }
  return [
    { language: 'curl', code: curl(request) },
    { language: 'TypeScript', code: typescript(request) },
    { language: 'PHP', code: php(request) },
    { language: 'Python', code: python(request) },
  ]
}

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n')
}

function joined(parts: readonly string[], variable: (name: string) => string): string {
  return parts.map((part, index) => (index % 2 === 1 ? variable(part) : part)).join('')
}

function curl({ method, parts, keyed, body }: Request): string {
  const options = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...(keyed ? ['-H "x-api-key: $NUQTA_PRIVATE_KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ]
  const url = `"$NUQTA_BASE_URL${joined(parts, (name) => `$${name}`)}"`
  return [`curl --fail-with-body --cacert "$NUQTA_CA" ${url}`, ...options].join(' \\\n  ')
}

function typescript({ method, parts, keyed, body }: Request): string {
  const used = ['NUQTA_BASE_URL', ...(keyed ? ['NUQTA_PRIVATE_KEY'] : []), ...parts.filter((_, at) => at % 2 === 1)]
  const headers = [
    ...(keyed ? ["'x-api-key': String(NUQTA_PRIVATE_KEY)"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  return lines(
    '// In a sandbox: NODE_EXTRA_CA_CERTS="$NUQTA_CA" node sample.ts',
    `const { ${used.join(', ')} } = process.env`,
    '',
    `const response = await fetch(\`\${NUQTA_BASE_URL}${joined(parts, (name) => `\${${name}}`)}\`, {`,
    `  method: '${method}',`,
    headers.length > 0 && `  headers: { ${headers.join(', ')} },`,
    body !== undefined && `  body: JSON.stringify(${literal(body, 'typescript', '  ')}),`,
    '})',
    'const answer = (await response.json()) as { message: string; data: unknown }',
    `if (!response.ok) throw new Error(\`\${response.status}: \${answer.message}\`)`,
    'console.log(JSON.stringify(answer.data, null, 2))',
    '',
    'export {}',
  )
}

function php({ method, parts, keyed, body }: Request): string {
  const path = parts
    .map((part, index) => (index % 2 === 1 ? `getenv('${part}')` : `'${part}'`))
    .filter((part) => part !== "''")
  const headers = [
    ...(keyed ? ["'x-api-key: ' . getenv('NUQTA_PRIVATE_KEY')"] : []),
    ...(body === undefined ? [] : ["'Content-Type: application/json'"]),
  ]
  return lines(
    '<?php',
    `$request = curl_init(getenv('NUQTA_BASE_URL') . ${path.join(' . ')});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    headers.length > 0 && `    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`,
    body !== undefined &&
      `    CURLOPT_POSTFIELDS => json_encode(${literal(body, 'php', '    ')}, JSON_THROW_ON_ERROR),`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    "if (getenv('NUQTA_CA')) { // the authority of a sandbox",
    "    curl_setopt($request, CURLOPT_CAINFO, getenv('NUQTA_CA'));",
    '}',
    '$body = curl_exec($request);',
    'if ($body === false) {',
    '    throw new RuntimeException(curl_error($request));',
    '}',
    '$answer = json_decode($body, false, 64, JSON_THROW_ON_ERROR);',
    '$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);',
    'if ($status !== 200) {',
    '    throw new RuntimeException("$status: $answer->message");',
    '}',
    'echo json_encode($answer->data, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), PHP_EOL;',
  )
}

function python({ method, parts, keyed, body }: Request): string {
  const variable = (name: string): string => `{os.environ['${name}']}`
  const headers = [
    ...(keyed ? ['"x-api-key": os.environ["NUQTA_PRIVATE_KEY"]'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  return lines(
    'import json',
    'import os',
    'import ssl',
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    f"${variable('NUQTA_BASE_URL')}${joined(parts, variable)}",`,
    `    method="${method}",`,
    headers.length > 0 && `    headers={${headers.join(', ')}},`,
    body !== undefined && `    data=json.dumps(${literal(body, 'python', '    ')}).encode(),`,
    ')',
    'context = ssl.create_default_context(cafile=os.environ.get("NUQTA_CA"))  # the authority of a sandbox',
    'try:',
    '    with urllib.request.urlopen(request, context=context) as response:',
    '        answer = json.load(response)',
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(f"{error.code}: {json.load(error)[\'message\']}")',
    'print(json.dumps(answer["data"], ensure_ascii=False, indent=2))',
  )
}
