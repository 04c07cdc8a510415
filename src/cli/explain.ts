import { readFileSync } from 'node:fs'
import { SQL_FOLDER } from '../platform/database/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface Parameter {
  name: string
  type: string
}

const HEADER = /^-- \$\d+ ([a-z_0-9]+) (.+)$/gm

function readStatement(name: string): string {
  if (!/^[a-z_0-9]+(\/[a-z_0-9]+)+$/.test(name)) {
    throw new CliError(`"${name}" is not the name of a statement; they look like statuses/post`)
  }
  try {
    return readFileSync(new URL(`queries/${name}.sql`, SQL_FOLDER), 'utf8')
  } catch (error) {
    throw new CliError(`There is no statement sql/queries/${name}.sql`, { cause: error })
  }
}

function readValues(text: string | undefined, parameters: readonly Parameter[]): unknown[] {
  if (text === undefined) return parameters.map(() => null)
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    throw new CliError('The parameters are not JSON', { cause: error })
  }
  if (input === null || typeof input !== 'object') throw new CliError('The parameters must be a JSON object or list')
  const byName = new Map<string, unknown>(
    Array.isArray(input)
      ? input.map((value, index) => [parameters[index]?.name ?? `$${index + 1}`, value])
      : Object.entries(input),
  )
  const unknown = [...byName.keys()].find(name => parameters.every(parameter => parameter.name !== name))
  if (unknown !== undefined) {
    throw new CliError(
      `It has no parameter ${unknown}; it has ${parameters.map(({ name }) => name).join(', ') || 'none'}`,
    )
  }
  return parameters.map(({ name }) => byName.get(name) ?? null)
}

const formatText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const arrayItem = (item: unknown): string =>
  item === null ? 'null' : `"${formatText(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** A value as a PostgreSQL literal of the parameter's type. */
function literal(value: unknown, type: string, escape: (text: string) => string): string {
  if (value === null) return 'null'
  if (type === 'jsonb') return escape(JSON.stringify(value))
  if (Array.isArray(value)) return escape(`{${value.map(arrayItem).join(',')}}`)
  return escape(formatText(value))
}

/**
 * Prints PostgreSQL's plans of a statement: for these values, and the generic plan that a prepared
 * statement may switch to. Both runs are rolled back.
 * @throws CliError
 */
export async function explainQuery(context: CliContext, name: string, text: string | undefined): Promise<void> {
  const statement = readStatement(name)
  const parameters = [...statement.matchAll(HEADER)].map(([, parameterName = '', type = '']) => ({
    name: parameterName,
    type,
  }))
  const values = readValues(text, parameters)
  const { database } = await context.services()
  await database.withClient(async client => {
    const literals = values.map((value, index) =>
      literal(value, parameters[index]?.type ?? 'text', given => client.escapeLiteral(given)),
    )
    const call = literals.length === 0 ? '' : `(${literals.join(', ')})`
    for (const [mode, heading] of [
      ['force_custom_plan', 'Planned for these values'],
      ['force_generic_plan', 'Generic plan'],
    ]) {
      await client.query('begin')
      try {
        await client.query(`set local plan_cache_mode = ${mode}`)
        await client.query(`prepare explained as ${statement}`)
        const { rows } = await client.query<Record<string, string>>(
          `explain (analyze, buffers) execute explained${call}`,
        )
        context.print(`-- ${heading}`)
        for (const row of rows) context.print(row['QUERY PLAN'] ?? '')
      } catch (error) {
        throw new CliError(error instanceof Error ? error.message : String(error), { cause: error })
      } finally {
        await client.query('rollback')
        // A prepared statement outlives the transaction; it does not exist if preparing failed.
        await client.query('deallocate explained').catch(() => undefined)
      }
    }
  })
}
