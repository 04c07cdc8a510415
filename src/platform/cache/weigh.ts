/**
 * V8's memory use, rounded up: the header and hidden class of an object, a pointer, a Buffer
 * without its bytes.
 */
const OBJECT_BYTES = 24
const POINTER_BYTES = 8
const BUFFER_BYTES = 96
const REGULAR_EXPRESSION_BYTES = 400

// eslint-disable-next-line no-control-regex
const ONE_BYTE = /^[\u0000-\u00ff]*$/

const textBytes = (text: string): number => OBJECT_BYTES + (ONE_BYTE.test(text) ? text.length : text.length * 2)

const sum = (values: Iterable<unknown>): number => {
  let bytes = 0
  for (const value of values) bytes += POINTER_BYTES + weigh(value)
  return bytes
}

/**
 * The approximate memory of a value in bytes, with everything that it refers to; a value that is
 * referred to twice counts twice.
 */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return textBytes(value)
  if (typeof value !== 'object' || value === null) return POINTER_BYTES
  if (ArrayBuffer.isView(value)) return BUFFER_BYTES + value.byteLength
  if (value instanceof RegExp) return REGULAR_EXPRESSION_BYTES + textBytes(value.source) * 2
  if (value instanceof Map) return OBJECT_BYTES + sum(value.keys()) + sum(value.values())
  if (Array.isArray(value) || value instanceof Set) return OBJECT_BYTES + sum(value)
  return OBJECT_BYTES + sum(Object.values(value))
}
