import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { generatedFolder, type CheckedOperation } from './generate.ts'

interface Fault {
  readonly instancePath: string
  readonly message?: string
  readonly params: object
}

interface Validator {
  (value: unknown): boolean
  readonly errors?: readonly Fault[] | null
}

interface Checks {
  readonly validators: Readonly<Record<string, Validator>>
  find(method: string, pathname: string): CheckedOperation | undefined
}

/** Matches paths by their segments; a fixed segment takes precedence over a parameter. */
function createFinder(operations: readonly CheckedOperation[]): Checks['find'] {
  interface Node {
    readonly children: Map<string, Node>
    readonly operations: Map<string, CheckedOperation>
  }
  const root: Node = { children: new Map(), operations: new Map() }
  for (const operation of operations) {
    let node = root
    for (const segment of operation.path.split('/').slice(1)) {
      const name = segment.startsWith('{') ? '{}' : segment
      const next = node.children.get(name) ?? { children: new Map(), operations: new Map() }
      node.children.set(name, next)
      node = next
    }
    node.operations.set(operation.method, operation)
  }
  const descend = (node: Node, segments: readonly string[], method: string): CheckedOperation | undefined => {
    const [first, ...rest] = segments
    if (first === undefined) return node.operations.get(method)
    for (const name of [first, '{}']) {
      const child = node.children.get(name)
      const found = child && descend(child, rest, method)
      if (found) return found
    }
    return undefined
  }
  return (method, pathname) => descend(root, pathname.replace(/\/$/, '').split('/').slice(1), method)
}

let loading: Promise<Checks> | undefined

async function load(): Promise<Checks> {
  const { operations } = await import('../../../src/app/operations.ts')
  const folder = await generatedFolder(operations)
  const checked = JSON.parse(readFileSync(path.join(folder, 'operations.json'), 'utf8')) as CheckedOperation[]
  const validators = createRequire(import.meta.url)(path.join(folder, 'validators.cjs')) as Checks['validators']
  return { validators, find: createFinder(checked) }
}

/** The server fails, stops, or refuses a request before it looks for an operation. */
const ANYWHERE = new Set([304, 400, 408, 410, 414, 431, 500])

/**
 * Compares a response with the API's description (/api/openapi.json): an operation must respond
 * with a documented status, and JSON with the schema of that status.
 * @throws Error with what differs
 */
export async function checkResponse(
  method: string,
  pathname: string,
  response: { status: number; type: string; json: unknown },
): Promise<void> {
  if (!/^\/(?:api|oauth|\.well-known|nodeinfo)\//.test(pathname)) return
  const { validators, find } = await (loading ??= load())
  const operation = find(method === 'HEAD' ? 'GET' : method, pathname)
  if (!operation) return
  const { status, type, json } = response
  const where = `${method} ${operation.path} answered ${status}`
  const name = operation.statuses[status]
  if (name === undefined) {
    if (ANYWHERE.has(status)) return
    throw new Error(`${where}, which the API's description does not contain`)
  }
  if (name === null || json === undefined || !/\bjson\b/.test(type)) return
  const validate = validators[name]
  if (!validate || validate(json)) return
  const faults = (validate.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
  throw new Error(
    `${where}, and it is not what the API's description says:\n${[...new Set(faults)].slice(0, 12).join('\n')}\n` +
      JSON.stringify(json).slice(0, 600),
  )
}
