import { c, query, type Runner } from '../database/index.ts'

const countFailures = query('guesses/count', { name: c.text, key: c.text, added: c.integer }, { failures: c.integer })

/** What is guessed at: a user's second factor or current password; passwords sent to the token endpoint, by login and by address. */
type Guessed = 'second_factor' | 'current_password' | 'password_of_login' | 'password_from_address'

/** Longer keys (an e-mail address that somebody made up) are cut. */
const MOST_KEY_CHARACTERS = 320

/** Failures of this hour, in all processes. */
export const failuresOf = (database: Runner, name: Guessed, key: string): Promise<number> => add(database, name, key, 0)

/** Counts one more failure, and gives those of this hour. */
export const noteFailure = (database: Runner, name: Guessed, key: string): Promise<number> =>
  add(database, name, key, 1)

async function add(database: Runner, name: Guessed, key: string, added: number): Promise<number> {
  const counted = await database.one(countFailures, { name, key: key.slice(0, MOST_KEY_CHARACTERS), added })
  return counted?.failures ?? added
}
