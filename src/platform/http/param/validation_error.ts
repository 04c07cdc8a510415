import { ApiError, validationError } from '../../../core/errors.ts'

/** An error of one parameter, before it becomes part of a 422. */
export interface ParamError {
  readonly name: string
  readonly label: string
  readonly code: 'ERR_BLANK' | 'ERR_INVALID' | 'ERR_INCLUSION' | 'ERR_TOO_LONG' | 'ERR_TOO_SHORT' | 'ERR_OUT_OF_RANGE'
  readonly message: string
}

/** Labels that are not derived from the parameter's name. */
const LABELS: Readonly<Record<string, string>> = {
  agreement: 'Service agreement',
  email: 'E-mail address',
  redirect_uri: 'Redirect URI',
  redirect_uris: 'Redirect URI',
}

/**
 * The name of a parameter for people: its own label, else its name as words, without a final `_id`.
 */
export function labelOf(name: string, label?: string): string {
  if (label !== undefined) return label
  const listed = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined
  if (listed !== undefined) return listed
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * The 422 for all errors of a request, in the order of the declaration; with `details` for sign-up
 * and profile.
 */
export function validationErrorOf(errors: readonly ParamError[], details: boolean): ApiError {
  const failure = validationError(...errors.map(error => `${error.label} ${error.message}`))
  if (!details) return failure
  const byName: Record<string, { error: string; description: string }[]> = {}
  for (const { name, code, message } of errors) (byName[name] ??= []).push({ error: code, description: message })
  return new ApiError('validation', { message: failure.message, body: { details: byName } })
}
