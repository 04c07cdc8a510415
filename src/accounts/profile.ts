/** A picture of an account as it is stored: keys of the original and of its still version. */
export interface StoredImage {
  key: string
  static_key: string
  type: string
}

/** A field of a profile as it is stored. `verified_at` is an ISO date. */
export interface StoredField {
  name: string
  /** As written. */
  value: string
  value_html: string
  verified_at: string | null
}
