/** Bytes from this length on are kept in a buffer of their own. */
const LARGE_BYTES = 4096
/** Smaller ones are copied into blocks, each as large as all before, within these limits. */
const BLOCK_BYTES = { min: 512, max: 64 * 1024 }

/**
 * Bytes that arrive in pieces of any size. Small ones are copied into blocks: a buffer for each
 * takes more than a hundred bytes, and a client may send one byte at a time.
 */
export class GatheredBytes {
  /** The number of bytes, which is less than the memory that they take. */
  sizeBytes = 0
  #pieces: Buffer[] = []
  /** The last block, in which there is room after the first `#used` bytes. */
  #block: Buffer | undefined
  #used = 0

  /** The memory that so many more bytes will take. */
  costOf(sizeBytes: number): number {
    if (sizeBytes === 0 || this.#fits(sizeBytes)) return 0
    return this.#isKept(sizeBytes) ? sizeBytes : this.#blockBytesFor(sizeBytes)
  }

  /** Adds a copy of these bytes. */
  add(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#add(bytes, () => Buffer.from(bytes))
  }

  /** Adds these bytes, which must not change from now on. */
  addOwn(bytes: Buffer): void {
    if (bytes.length > 0) this.#add(bytes, () => bytes)
  }

  /** Returns all bytes in order, and has none from then on. */
  takeAll(): Buffer[] {
    this.#endBlock()
    const pieces = this.#pieces
    this.#pieces = []
    this.sizeBytes = 0
    return pieces
  }

  #add(bytes: Uint8Array, keep: () => Buffer): void {
    if (this.#isKept(bytes.length) && !this.#fits(bytes.length)) {
      this.#endBlock()
      this.#pieces.push(keep())
    } else {
      if (!this.#fits(bytes.length)) {
        this.#endBlock()
        this.#block = Buffer.allocUnsafeSlow(this.#blockBytesFor(bytes.length))
      }
      this.#block?.set(bytes, this.#used)
      this.#used += bytes.length
    }
    this.sizeBytes += bytes.length
  }

  /** The first bytes are often the only ones. */
  #isKept(sizeBytes: number): boolean {
    return sizeBytes >= LARGE_BYTES || this.sizeBytes === 0
  }

  #fits(sizeBytes: number): boolean {
    return this.#block !== undefined && this.#used + sizeBytes <= this.#block.length
  }

  #blockBytesFor(sizeBytes: number): number {
    return Math.max(sizeBytes, BLOCK_BYTES.min, Math.min(BLOCK_BYTES.max, this.sizeBytes))
  }

  #endBlock(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#used))
    this.#block = undefined
    this.#used = 0
  }
}
