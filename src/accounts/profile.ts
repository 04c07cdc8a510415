/** A stored picture of an account: the keys of the original and of its static version. */
export interface StoredImage {
  key: string
  static_key: string
  type: string
}

/** A stored profile field. `verified_at` is an ISO date. */
export interface StoredField {
  name: string
  /** As entered. */
  value: string
  value_html: string
  verified_at: string | null
}
