import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyOperation } from '../../../src/platform/http/operation.ts'
import type { JsonSchema } from '../../../src/app/openapi/json_schema.ts'

/** The documented responses of an operation: for each status the name of a validator, if any. */
export interface CheckedOperation {
  readonly method: string
  /** As in OpenAPI: `/api/v1/statuses/{id}`. */
  readonly path: string
  readonly statuses: Readonly<Record<string, string | null>>
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const DESCRIPTION = path.join(ROOT, 'src/app/openapi')
const CACHE = path.join(ROOT, 'node_modules/.cache/millrace-responses')

/** Changes whenever the generated validators may change. */
function keyOf(operations: readonly AnyOperation[]): string {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename))
  for (const name of readdirSync(DESCRIPTION, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(?:ts|json)$/.test(name)) hash.update(name).update(readFileSync(path.join(DESCRIPTION, name)))
  hash.update(readFileSync(path.join(import.meta.dirname, 'closed.ts')))
  hash.update(JSON.stringify(operations))
  return hash.digest('hex').slice(0, 32)
}

/** The folder of the generated validators: `validators.cjs` and `operations.json`. */
export async function generatedFolder(operations: readonly AnyOperation[]): Promise<string> {
  const folder = path.join(CACHE, keyOf(operations))
  if (!existsSync(folder)) await generate(operations, folder)
  return folder
}

/**
 * Compiles the schemas of all responses. It takes a second, so that the result is kept for all test
 * files of a run.
 */
async function generate(operations: readonly AnyOperation[], folder: string): Promise<void> {
  const [
    { Ajv2020 },
    { default: addFormats },
    { default: standaloneCode },
    { makeDocument, resolveResponse },
    { closeEntities },
  ] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('ajv/dist/standalone/index.js'),
    import('../../../src/app/openapi/document.ts'),
    import('./closed.ts'),
  ])
  const document = makeDocument(operations, 'http://127.0.0.1')
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    inlineRefs: false,
    code: { source: true, lines: true },
  })
  addFormats.default(ajv, { mode: 'fast' })
  ajv.addSchema({ $id: 'document', components: { schemas: closeEntities(document.components.schemas) } })
  const names = new Map<string, string>()
  const validatorOf = (schema: JsonSchema): string => {
    const text = JSON.stringify(schema)
    const known = names.get(text)
    if (known !== undefined) return known
    const name = `response_${names.size}`
    names.set(text, name)
    ajv.addSchema({ ...(JSON.parse(text.replaceAll('"#/', '"document#/')) as object), $id: name })
    return name
  }
  const checked = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, { responses }]): CheckedOperation => {
      const statuses = Object.entries(responses).map(([status, response]): [string, string | null] => {
        const content = resolveResponse(document, response).content ?? {}
        const schema = Object.entries(content).find(([type]) => type.endsWith('json'))?.[1].schema
        return [status, schema ? validatorOf(schema) : null]
      })
      return { method: method.toUpperCase(), path: template, statuses: Object.fromEntries(statuses) }
    }),
  )
  const code = standaloneCode.default(ajv, Object.fromEntries([...names.values()].map(name => [name, name])))
  for (const old of existsSync(CACHE) ? readdirSync(CACHE) : [])
    if (!old.includes('.')) rmSync(path.join(CACHE, old), { recursive: true, force: true })
  // Several test files may do this at once: each writes its own folder and renames it.
  const own = `${folder}.${process.pid}`
  mkdirSync(own, { recursive: true })
  writeFileSync(path.join(own, 'validators.cjs'), code)
  writeFileSync(path.join(own, 'operations.json'), JSON.stringify(checked))
  try {
    renameSync(own, folder)
  } catch {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(folder)) throw new Error(`${folder} cannot be written`)
  }
}
