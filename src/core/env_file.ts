import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { InvalidConfig } from './config.ts'
import type { Environment } from './environment.ts'

const isBlank = (value: string | undefined): boolean => value === undefined || value.trim() === ''

/**
 * The environment with the variables of the file that `ENV_FILE` names. The file is read again by
 * each rolling restart; a variable of the environment itself takes precedence.
 * @throws InvalidConfig when the file cannot be read
 */
export function readEnvironment(env: Environment): Environment {
  const file = env['ENV_FILE']?.trim()
  if (file === undefined || file === '') return env
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new InvalidConfig(`ENV_FILE must be a file that can be read, not ${file} (${code})`, { cause: error })
  }
  const given = Object.entries(env).filter(([, value]) => !isBlank(value))
  return { ...parseEnv(text), ...Object.fromEntries(given) }
}
