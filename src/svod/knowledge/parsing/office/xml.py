"""XML parts of office files, parsed so that nothing outside them is read and nothing blows up."""

from collections.abc import Iterator
from io import BytesIO
from typing import Any, cast
from xml.etree.ElementTree import Element

from lxml import etree as untyped  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

from svod.knowledge.parsing.errors import CorruptFile, TooDeep
from svod.knowledge.parsing.office.archive import Archive

etree: Any = untyped  # pyright: ignore[reportUnknownVariableType]
"""lxml has no types of its own."""
DEEPEST = 256
"""The depth at which libxml2 gives up."""
_STRICT = (
    (
        b"http://purl.oclc.org/ooxml/wordprocessingml/main",
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    ),
    (
        b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/relationships",
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/math",
        b"http://schemas.openxmlformats.org/officeDocument/2006/math",
    ),
)
"""The strict variant of the format differs in names only."""


def parsed_xml(xml: bytes, *, format_name: str) -> Element:
    """The root element of an XML part.

    Raises:
        TooDeep: elements are nested too deeply.
        CorruptFile: it is not well-formed.
    """
    for strict, usual in _STRICT:
        xml = xml.replace(strict, usual)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        # Elements of lxml have all that is used here of the standard library's, which has types.
        root = cast("Element | None", etree.fromstring(xml, parser))
    except etree.XMLSyntaxError as error:
        if "depth" in str(error).lower():
            raise TooDeep(limit=DEEPEST) from error
        raise CorruptFile(format=format_name) from error
    except ValueError as error:
        raise CorruptFile(format=format_name) from error
    if root is None:
        raise CorruptFile(format=format_name)
    return root


def streamed(xml: bytes, name: str, *, format_name: str) -> Iterator[Element]:
    """The elements of one name, each as soon as it is whole, and gone when the next is asked for.

    Raises:
        CorruptFile: the part is not well-formed.
    """
    for strict, usual in _STRICT:
        xml = xml.replace(strict, usual)
    try:
        for _, element in etree.iterparse(
            BytesIO(xml),
            events=("end",),
            tag=f"{{*}}{name}",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
        ):
            yield cast("Element", element)
            element.clear()
    except etree.XMLSyntaxError as error:
        raise CorruptFile(format=format_name) from error


def name_of(element: Element) -> str:
    """An element's name without its namespace."""
    return element.tag.rpartition("}")[2]


def attribute(element: Element | None, name: str) -> str | None:
    """An attribute by its name without namespace."""
    if element is None:
        return None
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), None)


def child(element: Element | None, *path: str) -> Element | None:
    """The first child by its name without namespace, then its child, and so on."""
    for name in path:
        if element is None:
            return None
        element = next((inner for inner in element if name_of(inner) == name), None)
    return element


def inside(element: Element | None, *path: str) -> Iterator[Element]:
    """What is in the element that a path leads to; nothing if there is none."""
    found = child(element, *path)
    return iter(found if found is not None else ())


def is_on(element: Element | None) -> bool:
    """Whether a property that needs no value is set, and not set to off."""
    return element is not None and attribute(element, "val") not in {"0", "false", "off", "none"}


def main_part(archive: Archive, usual: str) -> str:
    """The name of the part that the package starts with."""
    if "_rels/.rels" in archive:
        for relation in parsed_xml(archive.xml("_rels/.rels"), format_name="office"):
            target = relation.get("Target", "").lstrip("/")
            if (relation.get("Type") or "").endswith("/officeDocument") and target in archive:
                return target
    return usual


def title_of(archive: Archive) -> str | None:
    """The title among the document's properties; None for what programs fill in by themselves."""
    if "docProps/core.xml" not in archive:
        return None
    root = parsed_xml(archive.xml("docProps/core.xml"), format_name="office")
    title = next((inner.text for inner in root.iter() if name_of(inner) == "title"), None)
    title = (title or "").strip()
    made_up = title.lower().startswith(("microsoft word", "документ microsoft", "word document"))
    return title if title and not made_up else None
