import { ApiError } from '../../core/errors.ts'
import { translateKnown, type Translator } from '../../platform/i18n/index.ts'

/** Validation errors of a form: descriptions by attribute. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/**
 * Describes a validation error in the language of the form, as exactly as the catalogue can: a text
 * of the field, of the description, of the code. A limit is taken from the English description.
 */
function describe(attribute: string, detail: unknown, translator: Translator): string[] {
  if (typeof detail !== 'object' || detail === null || !('error' in detail) || !('description' in detail)) return []
  const description = String(detail.description)
  const count = /\d+/.exec(description)?.[0] ?? ''
  const translate = (key: string): string | undefined =>
    translator.has(key) ? translator.t(key, { count }) : undefined
  const code = String(detail.error)
  const text =
    translate(`form_error.${attribute}.${code}`) ??
    translateKnown(description, translator) ??
    translate(`form_error.${code}`)
  return [text ?? description]
}

/** The sentences about each field in the details of an error. */
export function errorsIn(error: ApiError, translator: Translator): FieldErrors {
  const details = error.body['details']
  const errors: Record<string, string[]> = {}
  for (const [attribute, list] of Object.entries(typeof details === 'object' && details !== null ? details : {})) {
    if (!Array.isArray(list)) continue
    errors[attribute] = [...new Set(list.flatMap(detail => describe(attribute, detail, translator)))]
  }
  return errors
}

/**
 * Runs a function and returns its validation errors; undefined if there are none.
 * @throws any other error
 */
export async function fieldErrorsOf(
  translator: Translator,
  work: () => Promise<unknown>,
): Promise<FieldErrors | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation') throw error
    return errorsIn(error, translator)
  }
}
