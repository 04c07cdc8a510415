import { validationError } from '../../core/errors.ts'

export interface Focus {
  readonly x: number
  readonly y: number
}

/**
 * The point of a picture that stays visible when it is cropped: `x,y` from the centre, y up,
 * usually from -1 to 1.
 * @returns null for an empty text
 * @throws ApiError `validation` when it is not two numbers
 */
export function parseFocus(text: string): Focus | null {
  if (text.trim() === '') return null
  const parts = text.split(',')
  const [x = Number.NaN, y = Number.NaN] = parts.map(part => (part.trim() === '' ? Number.NaN : Number(part)))
  if (parts.length !== 2 || !Number.isFinite(x) || !Number.isFinite(y)) throw validationError('Focus is invalid')
  return { x, y }
}
