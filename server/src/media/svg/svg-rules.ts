/** Allowlists of what an SVG may contain: elements and attributes that draw, none of which can run code or load a resource. */

export const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
export const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
export const XMLNS_NAMESPACE = 'http://www.w3.org/2000/xmlns/';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Elements that are visible by themselves. An SVG without any is refused. */
export const DRAWING = words('path rect circle ellipse line polyline polygon text image use');

export const ELEMENTS = new Set([
  ...DRAWING,
  ...words(`
    svg g defs symbol switch tspan textPath title desc style linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
    feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
    feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
    animate animateTransform animateMotion mpath set`),
]);

/** These are removed, but their content stays. */
export const UNWRAPPED = words('a');

/** Presentation attributes: the only ones that an animation may name in `attributeName`. */
const PRESENTATION_ATTRIBUTES = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
  font-family font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering letter-spacing
  lighting-color marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow paint-order
  pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
  stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration text-rendering
  transform-origin transform-box transform unicode-bidi vector-effect visibility word-spacing writing-mode isolation
  cx cy d dx dy fx fy fr height width offset pathLength points r rx ry rotate startOffset textLength x x1 x2 y y1 y2
  gradientTransform patternTransform viewBox
  amplitude azimuth baseFrequency bias diffuseConstant divisor elevation exponent intercept k1 k2 k3 k4 kernelMatrix
  kernelUnitLength limitingConeAngle numOctaves order pointsAtX pointsAtY pointsAtZ radius scale seed slope
  specularConstant specularExponent stdDeviation surfaceScale tableValues targetX targetY z`);

const ATTRIBUTES = new Set([
  ...PRESENTATION_ATTRIBUTES,
  ...words(`
    id class lang role tabindex version preserveAspectRatio clipPathUnits edgeMode filterUnits gradientUnits in in2
    lengthAdjust markerHeight markerUnits markerWidth maskContentUnits maskUnits method mode operator orient
    patternContentUnits patternUnits preserveAlpha primitiveUnits refX refY result side spacing spreadMethod
    stitchTiles systemLanguage requiredFeatures type values xChannelSelector yChannelSelector zoomAndPan
    aria-label aria-hidden aria-labelledby aria-describedby
    accumulate additive attributeName attributeType begin by calcMode dur end fill from keyPoints keySplines keyTimes max
    min origin path repeatCount repeatDur restart to`),
]);

/** Whether an attribute other than links and `style` may keep this value. */
export function isSafeAttribute(name: string, value: string): boolean {
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'attributeName') return PRESENTATION_ATTRIBUTES.has(value.trim());
  if (name.startsWith('aria-')) return true;
  return isSafeValue(value);
}

const FUNCTIONS = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix matrix matrix3d translate translatex translatey translate3d
  translatez scale scalex scaley scale3d rotate rotatex rotatey rotate3d skew skewx skewy perspective calc min max clamp
  var blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia inset circle ellipse polygon
  path rect cubic-bezier steps linear`);

const isWordCode = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 45 || code === 95;

/**
 * Whether a CSS value, or an attribute that is parsed as one, references nothing outside the document: no escapes, which
 * could hide a name, only known functions, and `url()` only of a fragment. Takes linear time.
 */
export function isSafeValue(value: string): boolean {
  if (/[\\<>{}@]|\/\*/.test(value)) return false;
  if (/['"]/.test(value.replace(/'[^'"]*'|"[^'"]*"/g, ''))) return false;
  for (let open = value.indexOf('('); open >= 0; open = value.indexOf('(', open + 1)) {
    let start = open;
    while (start > 0 && isWordCode(value.charCodeAt(start - 1))) start--;
    const name = value.slice(start, open).toLowerCase();
    const isSafe = name === 'url' ? isFragment(value, open + 1) : name === '' || FUNCTIONS.has(name);
    if (!isSafe) return false;
  }
  return true;
}

const FRAGMENT_CHARACTERS = 200;

function isFragment(value: string, at: number): boolean {
  return /^\s*(['"]?)#[^'"()\s]+\1\s*(?=[()]|$)/.test(value.slice(at, at + FRAGMENT_CHARACTERS));
}

/** Whether a link refers to a part of the same document or, for an `image`, is an embedded raster image. */
export function isSafeLink(element: string, href: string): boolean {
  const link = href.trim();
  if (/^#[^\s'"<>]+$/.test(link)) return true;
  return element === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/.test(link);
}
