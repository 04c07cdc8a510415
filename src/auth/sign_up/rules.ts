import { c, query, type Runner } from '../../platform/database/index.ts'

interface Translated {
  readonly text?: string
  readonly hint?: string
}

const listRules = query(
  'auth/sign_up/rules',
  {},
  { text: c.text, hint: c.text, translations: c.json<Readonly<Record<string, Translated>>>() },
)

/** A rule of the server in the reader's language. */
export interface Rule {
  readonly text: string
  readonly hint: string
}

/** The server's rules, translated where a translation exists. */
export async function findRules(database: Runner, locale: string | undefined): Promise<Rule[]> {
  const rows = await database.run(listRules, {})
  return rows.map(({ text, hint, translations }) => {
    const translated = locale === undefined ? undefined : translations[locale]
    return { text: translated?.text ?? text, hint: translated?.hint ?? hint }
  })
}
