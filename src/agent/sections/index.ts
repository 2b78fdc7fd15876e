/** The sections of an agent's spec: who reads which, and whether they are valid. */
export { checkSections, type Sections } from './check-sections.ts'
export { type PermissionSection, permissionRules } from './permission-section.ts'
export { RUNTIME_CLAIMS, type SectionClaims } from './section-claims.ts'
