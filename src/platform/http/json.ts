import { ApiError } from '../../core/errors.ts'
import { decodeUtf8 } from './form.ts'
import { createTree, isTree, MAX_DEPTH, MAX_VALUES, setMember, type ParamTree, type Value } from './tree.ts'

/**
 * The parameters of a JSON body (RFC 8259). An empty body has none, and neither has a value that is
 * no object: PHP encodes an empty array of parameters as `[]`. An integer that a JavaScript number
 * cannot represent, such as a snowflake id, becomes its decimal string.
 * @throws ApiError malformedBody when it is not JSON in UTF-8, is nested too deeply, has too many
 * values, a number beyond double precision's range, or a string with NUL or a lone surrogate
 */
export function parseJson(bytes: Uint8Array): ParamTree {
  const text = decodeUtf8(bytes)
  if (text.length === 0) return createTree()
  const value = new JsonReader(text).readDocument()
  return isTree(value) ? value : createTree()
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const INTEGER = /^-?[0-9]+$/
const CONTROL = /[^\u0020-\uffff]/
const LITERALS = { true: true, false: false, null: null } as const

/**
 * Not JSON.parse, because that rounds large ids, sorts index keys, and limits neither nesting nor
 * the number of values. Only strings with escapes use it.
 */
class JsonReader {
  private readonly text: string
  private at = 0
  private values = 0

  constructor(text: string) {
    this.text = text
  }

  readDocument(): Value {
    if (this.text.startsWith('\ufeff')) this.at = 1
    const value = this.readValue(0)
    this.skipBlanks()
    if (this.at < this.text.length) throw new ApiError('malformedBody')
    return value
  }

  private readValue(depth: number): Value {
    if (++this.values > MAX_VALUES) throw new ApiError('malformedBody')
    this.skipBlanks()
    switch (this.text.charAt(this.at)) {
      case '"':
        return this.readString()
      case '{':
        return this.readObject(depth + 1)
      case '[':
        return this.readArray(depth + 1)
      case 't':
        return this.readLiteral('true')
      case 'f':
        return this.readLiteral('false')
      case 'n':
        return this.readLiteral('null')
      default:
        return this.readNumber()
    }
  }

  private readObject(depth: number): ParamTree {
    if (depth > MAX_DEPTH) throw new ApiError('malformedBody')
    const tree = createTree()
    this.at++
    if (this.skip('}')) return tree
    do {
      this.skipBlanks()
      if (this.text[this.at] !== '"') throw new ApiError('malformedBody')
      const key = this.readString()
      this.expect(':')
      setMember(tree, key, this.readValue(depth))
    } while (this.skip(','))
    this.expect('}')
    return tree
  }

  private readArray(depth: number): Value[] {
    if (depth > MAX_DEPTH) throw new ApiError('malformedBody')
    const list: Value[] = []
    this.at++
    if (this.skip(']')) return list
    do list.push(this.readValue(depth))
    while (this.skip(','))
    this.expect(']')
    return list
  }

  private readString(): string {
    const start = this.at
    const end = this.findQuote(start + 1)
    this.at = end + 1
    const plain = this.text.slice(start + 1, end)
    if (!plain.includes('\\')) {
      if (CONTROL.test(plain)) throw new ApiError('malformedBody')
      return plain
    }
    const string = unescape(this.text.slice(start, end + 1))
    if (string.includes('\0') || !string.isWellFormed()) throw new ApiError('malformedBody')
    return string
  }

  /** The end of the string: the first quote after an even number of backslashes. */
  private findQuote(from: number): number {
    for (let quote = this.text.indexOf('"', from); quote >= 0; quote = this.text.indexOf('"', quote + 1)) {
      let before = quote
      while (before > from && this.text[before - 1] === '\\') before--
      if ((quote - before) % 2 === 0) return quote
    }
    throw new ApiError('malformedBody')
  }

  private readNumber(): number | string {
    NUMBER.lastIndex = this.at
    const token = NUMBER.exec(this.text)?.[0]
    if (token === undefined) throw new ApiError('malformedBody')
    this.at += token.length
    const number = Number(token)
    if (!Number.isFinite(number)) throw new ApiError('malformedBody')
    return !Number.isSafeInteger(number) && INTEGER.test(token) ? token : number
  }

  private readLiteral(word: keyof typeof LITERALS): boolean | null {
    if (!this.text.startsWith(word, this.at)) throw new ApiError('malformedBody')
    this.at += word.length
    return LITERALS[word]
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      this.at++
    }
  }

  private skip(character: string): boolean {
    this.skipBlanks()
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private expect(character: string): void {
    if (!this.skip(character)) throw new ApiError('malformedBody')
  }
}

function unescape(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch (error) {
    throw new ApiError('malformedBody', { cause: error })
  }
}
