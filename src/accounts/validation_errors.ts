import { ApiError } from '../core/errors.ts'

/** A validation error of an attribute, as in `details` of the entity ValidationError. */
export interface ValidationError {
  attribute: string
  /** The attribute's display name; the error message begins with it. */
  label: string
  code: string
  description: string
}

/** Collects the validation errors of several attributes, so that the response lists them all. */
export class ValidationErrors {
  readonly #found: ValidationError[] = []

  add(attribute: string, label: string, code: string, description: string): void {
    this.#found.push({ attribute, label, code, description })
  }

  addTooLong(attribute: string, label: string, limit: number): void {
    this.add(attribute, label, 'ERR_TOO_LONG', `is too long (maximum is ${limit} characters)`)
  }

  /** @throws ApiError validation with `details` by attribute if there are any errors */
  throwIfAny(): void {
    if (this.#found.length === 0) return
    const details: Record<string, { error: string; description: string }[]> = {}
    for (const { attribute, code, description } of this.#found) {
      ;(details[attribute] ??= []).push({ error: code, description })
    }
    const messages = this.#found.map(({ label, description }) => `${label} ${description}`)
    throw new ApiError('validation', { message: `Validation failed: ${messages.join(', ')}`, body: { details } })
  }
}
