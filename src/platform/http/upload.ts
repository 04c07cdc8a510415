/** A file in the request. A file on disk is removed when the request has been answered. */
export class Upload {
  /** As the client names it, never to be used as a path; empty for a `data:` URI. */
  readonly filename: string
  /** The media type that the client claims, without parameters, in lower case. */
  readonly type: string
  /** Its bytes, which keep the request's body alive, or the path of its file. */
  readonly content: Buffer | string
  readonly sizeBytes: number
  /** The first bytes, for type detection. */
  readonly head: Buffer

  constructor(filename: string, type: string, content: Buffer | { path: string; sizeBytes: number; head: Buffer }) {
    this.filename = filename
    this.type = type
    const isHere = Buffer.isBuffer(content)
    this.content = isHere ? content : content.path
    this.sizeBytes = isHere ? content.byteLength : content.sizeBytes
    this.head = (isHere ? content : content.head).subarray(0, Upload.HEAD_BYTES)
  }

  static readonly HEAD_BYTES = 512
}
