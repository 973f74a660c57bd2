// Packs the extension: node scripts/package.js [FILE.vsix]
//
// A .vsix is a zip of the extension with a manifest. The dependencies are those
// of package-lock.json that are not for development.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const yazl = require('yazl');

const root = path.join(__dirname, '..');
const extension = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));

// production returns the folders of what the extension needs to run.
function production() {
  return Object.entries(lock.packages)
    .filter(([folder, entry]) => folder && !entry.dev)
    .map(([folder]) => folder);
}

// filesBelow returns the files of a folder that are needed at run time.
function filesBelow(folder) {
  return fs.readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(map|d\.ts|tsbuildinfo)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'))
    .sort();
}

const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function manifest() {
  const { name, version, publisher, displayName, description, keywords, categories, engines } = extension;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escape(displayName)}</DisplayName>
    <Description xml:space="preserve">${escape(description)}</Description>
    <Tags>${escape([...keywords, '__ext_gram'].join(','))}</Tags>
    <Categories>${escape(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escape(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function contentTypes(files) {
  const types = [...new Set(files.map((f) => path.posix.extname(f)).filter(Boolean))].sort();
  const rows = types.map((type) => `<Default Extension="${escape(type)}" ContentType="application/octet-stream"/>`);
  const named = files.filter((f) => !path.posix.extname(f)).map((f) => `<Override PartName="/extension/${escape(f)}" ContentType="text/plain"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".vsixmanifest" ContentType="text/xml"/>${[...rows, ...named].join('')}</Types>
`;
}

function pack(file) {
  const own = ['package.json', 'README.md', 'language-configuration.json', ...['src', 'snippets', 'syntaxes'].flatMap(filesBelow)];
  const files = [...own, ...production().flatMap(filesBelow)];
  const options = { mtime: new Date(2000, 0, 1), mode: 0o100644, forceDosTimestamp: true }; // the same file each time
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(manifest()), 'extension.vsixmanifest', options);
  zip.addBuffer(Buffer.from(contentTypes(files)), '[Content_Types].xml', options);
  for (const name of files) {
    zip.addBuffer(fs.readFileSync(path.join(root, name)), `extension/${name}`, options);
  }
  zip.end();
  return new Promise((resolve, reject) => {
    zip.outputStream.pipe(fs.createWriteStream(file)).on('close', () => resolve(files)).on('error', reject);
  });
}

module.exports = { pack };

if (require.main === module) {
  const file = process.argv[2] ?? path.join(root, `gram-${extension.version}.vsix`);
  pack(file).then((files) => console.log(`${file}: ${files.length} files`));
}
